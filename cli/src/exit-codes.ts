/** Stable: scripts depend on them. docs/guides/command-line.md explains each. */
export const exitCodes = {
  ok: 0,
  /** The command line is wrong, a file cannot be read, or nobody is signed in. Nothing was sent. */
  usage: 1,
  /** Carillon refused the request. */
  refused: 2,
  /** A channel failed, was canceled, or is unconfirmed. */
  notPublished: 3,
  /** There was no answer, or one that does not tell whether the request was carried out. */
  unreachable: 4,
  /** `--wait` ended before every channel had its result. */
  unfinished: 5,
  /** An error in this program. */
  bug: 70,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
