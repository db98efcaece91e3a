import { UsageError } from '../cli-error.ts'
import { defineCommand, type CommandEntry } from '../line/command.ts'
import type { CompletedCommand } from '../completion/completed-command.ts'

const shells = ['bash', 'zsh', 'fish'] as const

export const completion = defineCommand({
  details:
    'Prints a script for your shell, which then completes commands, options and their values with the Tab key. It contains no secrets.',
  examples: [
    'carillon completion bash >~/.local/share/bash-completion/completions/carillon',
    'carillon completion zsh >~/.zfunc/_carillon',
    'carillon completion fish >~/.config/fish/completions/carillon.fish',
  ],
  words: { placeholder: shells.join('|'), about: 'The shell.', min: 1, max: 1 },
  options: {},
  async run(_values, [word = ''], { others, commands }) {
    const shell = shells.find((each) => each === word)
    if (shell === undefined) throw new UsageError(`The shell must be one of ${shells.join(', ')}, not "${word}".`)
    const known = await Promise.all(commands.map(describe))
    const all = [...known, ...others.map(({ name, summary }) => ({ name, summary, options: [] }))]
    const { writeBash, writeFish, writeZsh } = await import('../completion/write-completion.ts')
    const text = { bash: writeBash, zsh: writeZsh, fish: writeFish }[shell](all)
    return { data: { shell, script: text }, text }
  },
})

async function describe({ name, summary, load }: CommandEntry): Promise<CompletedCommand> {
  const { options } = await load()
  const own = Object.entries(options).map(([option, { about, placeholder, choices = [] }]) => ({
    name: option,
    about,
    placeholder,
    choices,
  }))
  const json = { name: 'json', about: 'Print the result as JSON.', placeholder: null, choices: [] }
  return { name, summary, options: [...own, json] }
}
