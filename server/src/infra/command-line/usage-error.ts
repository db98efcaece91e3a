/** The command line is wrong. The message says what to write instead; the program ends with exit code 2. */
export class UsageError extends Error {}
