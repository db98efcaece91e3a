/** A command as a shell completes it. */
export type CompletedCommand = {
  name: string
  summary: string
  options: readonly { name: string; about: string; placeholder: string | null; choices: readonly string[] }[]
}
