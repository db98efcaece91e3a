/** Prints what a command does and ends the process if its words ask for help: nobody waits for a command that they only wanted to read about. */
export function exitWithHelp(usage: string): void {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return
  console.log(usage)
  process.exit(0)
}
