/** An error that an operator can fix. Its message states the remedy and is shown without a stack. */
export class OperatorError extends Error {}
