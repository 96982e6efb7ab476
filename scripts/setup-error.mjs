/** A problem that the user can fix. Only the message is shown, without a stack trace. */
export class SetupError extends Error {}
