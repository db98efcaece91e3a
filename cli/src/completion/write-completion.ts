import type { CompletedCommand } from './completed-command.ts'

type Commands = readonly CompletedCommand[]

const isFile = (placeholder: string | null) => placeholder === 'FILE'

export function writeBash(commands: Commands): string {
  const groups = groupsOf(commands)
  return [
    '_carillon() {',
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" words=""',
    '  COMPREPLY=()',
    '  case "$prev" in',
    `    ${fileOptions(commands).join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return ;;`,
    ...choiceOptions(commands).map(
      ({ name, choices }) => `    --${name}) COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$cur")); return ;;`,
    ),
    '  esac',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words="${firstWords(commands).join(' ')}"`,
    '  else',
    '    case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in',
    ...commands.filter(({ name }) => name.includes(' ')).map(bashCase),
    '      *) case "${COMP_WORDS[1]}" in',
    ...groups.map(([group, seconds]) => `        ${group}) words="${seconds.join(' ')}" ;;`),
    ...commands
      .filter(({ name }) => !name.includes(' ') && !groups.some(([group]) => group === name))
      .map((each) => `  ${bashCase(each)}`),
    '      esac ;;',
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '}',
    'complete -o default -F _carillon carillon',
  ].join('\n')
}

function bashCase({ name, options }: CompletedCommand): string {
  return `      "${name}") words="${options.map((option) => `--${option.name}`).join(' ')}" ;;`
}

export function writeZsh(commands: Commands): string {
  const single = commands.filter(({ name }) => !name.includes(' '))
  return [
    '#compdef carillon',
    '_carillon() {',
    '  local -a items',
    '  if (( CURRENT == 2 )); then',
    `    items=(${firstWords(commands)
      .map((word) => quote(`${word}:${summaryOf(word, commands)}`))
      .join(' ')})`,
    "    _describe 'command' items",
    '    return',
    '  fi',
    '  case "${words[2]} ${words[3]}" in',
    ...commands.filter(({ name }) => name.includes(' ')).map(zshCase),
    '    *) case "${words[2]}" in',
    ...groupsOf(commands).map(
      ([group, seconds]) =>
        `      ${group}) items=(${seconds.map((second) => quote(`${second}:${summaryOf(`${group} ${second}`, commands)}`)).join(' ')}); _describe 'command' items ;;`,
    ),
    ...single.map((each) => `  ${zshCase(each)}`),
    '    esac ;;',
    '  esac',
    '}',
    'if [ "$funcstack[1]" = "_carillon" ]; then _carillon "$@"; else compdef _carillon carillon; fi',
  ].join('\n')
}

function zshCase({ name, options }: CompletedCommand): string {
  const pattern = name.includes(' ') ? `"${name}"` : name
  const specs = options.map(({ name: option, about, placeholder, choices }) => {
    const value = placeholder === null ? '' : `:${placeholder.replaceAll(/[:|]/g, ' ')}:${zshAction(placeholder, choices)}`
    return quote(`*--${option}[${about.replaceAll(/[[\]]/g, '')}]${value}`)
  })
  return `    ${pattern}) _arguments ${[...specs, quote('*:file:_files')].join(' ')} ;;`
}

function zshAction(placeholder: string, choices: readonly string[]): string {
  if (choices.length > 0) return `(${choices.join(' ')})`
  return isFile(placeholder) ? '_files' : ' '
}

export function writeFish(commands: Commands): string {
  const lines = ['complete -c carillon -n __fish_use_subcommand -f']
  for (const word of firstWords(commands))
    lines.push(`complete -c carillon -n __fish_use_subcommand -f -a ${word} -d ${quote(summaryOf(word, commands))}`)
  for (const [group, seconds] of groupsOf(commands)) {
    const condition = quote(`__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${seconds.join(' ')}`)
    for (const second of seconds)
      lines.push(`complete -c carillon -n ${condition} -f -a ${second} -d ${quote(summaryOf(`${group} ${second}`, commands))}`)
  }
  for (const { name, options } of commands) {
    const condition = quote(
      name
        .split(' ')
        .map((word) => `__fish_seen_subcommand_from ${word}`)
        .join('; and '),
    )
    for (const { name: option, about, placeholder, choices } of options) {
      const value = placeholder === null ? '' : fishValue(placeholder, choices)
      lines.push(`complete -c carillon -n ${condition} -l ${option}${value} -d ${quote(about)}`)
    }
  }
  return lines.join('\n')
}

function fishValue(placeholder: string, choices: readonly string[]): string {
  if (choices.length > 0) return ` -x -a ${quote(choices.join(' '))}`
  return isFile(placeholder) ? ' -r -F' : ' -x'
}

/** Groups with their second words: `post` with `create`, `list` and so on. */
function groupsOf(commands: Commands): [string, string[]][] {
  const groups = new Map<string, string[]>()
  for (const { name } of commands) {
    const [first = '', second] = name.split(' ')
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), second])
  }
  return [...groups]
}

function firstWords(commands: Commands): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
}

/** Of a command, or of a group its first words. */
function summaryOf(name: string, commands: Commands): string {
  const own = commands.find((each) => each.name === name)
  if (own) return own.summary
  const seconds = groupsOf(commands).find(([group]) => group === name)?.[1] ?? []
  return seconds.join(', ')
}

function fileOptions(commands: Commands): string[] {
  const names = commands.flatMap(({ options }) =>
    options.filter(({ placeholder }) => isFile(placeholder)).map(({ name }) => `--${name}`),
  )
  return [...new Set(names)]
}

function choiceOptions(commands: Commands): { name: string; choices: readonly string[] }[] {
  return commands.flatMap(({ options }) => options.filter(({ choices }) => choices.length > 0))
}

/** For all three shells. */
function quote(text: string): string {
  return `'${text.replaceAll("'", '’')}'`
}
