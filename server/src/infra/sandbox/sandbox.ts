/** How a program is confined, the strongest first. `docs/guides/media.md` describes the levels for operators. */
export const sandboxLevels = ['bubblewrap', 'landlock', 'namespaces', 'user', 'limits'] as const
export type SandboxLevel = (typeof sandboxLevels)[number]

/** What a confined program sees. */
export type SandboxView = {
  /** The one file that it may read. */
  input: string
  /** The one folder that it may write to; null if it writes nothing. */
  outputDir: string | null
  /** Where the programs and their libraries are. They may be read and executed. */
  programs: readonly string[]
  /** The user that it runs as; null if that is the user of the server. */
  uid: number | null
}

/** A command with everything around it, and the bytes that it reads from file descriptor 3. */
export type Launch = { argv: string[]; fd3: Buffer | null }

export type Sandbox = {
  level: SandboxLevel
  /** Whether programs run as a user of their own. This needs a server that runs as root. */
  hasOwnUser: boolean
  /** A sentence for each protection that the strongest level has and this one does not. */
  weaker: readonly string[]
  /** Why the stronger levels do not work here. */
  unavailable: readonly string[]
  /** The file of a program, or null if it is not installed. */
  findProgram(name: string): string | null
  launch(command: readonly string[], view: SandboxView): Launch
}
