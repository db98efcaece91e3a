/** The program cannot start, or do what it was asked, as it is configured. The message tells operators what to do; no stack is printed. */
export class StartError extends Error {}
