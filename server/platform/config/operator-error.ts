/** An error that the operator of the server can fix. Its message says how, and is shown without a stack trace. */
export class OperatorError extends Error {}
