/** Something the person at the terminal can change; the message is all they need to see. */
export class SetupError extends Error {}
