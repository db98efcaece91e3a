/** The process cannot start as it is configured. The message is a text for operators that says what to do; no stack is printed. */
export class StartError extends Error {}
