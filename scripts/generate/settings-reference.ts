import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeSettings } from '@carillon/server/settings'
import { root } from '../../stack/services/folders.ts'
import { generatedFrom, type FileGenerator } from './file-generator.ts'

type SettingGroup = ReturnType<typeof describeSettings>[number]
type ListedSetting = SettingGroup['settings'][number]

const source = 'server/src/config/settings.ts'
const page = 'docs/configuration.md'
const begin = '<!-- settings:begin'
const end = '<!-- settings:end -->'
const commentWidth = 118

/** The tables of settings inside docs/configuration.md, and the example of an environment file. */
export const settingsReference: FileGenerator = {
  name: 'settings',
  async make() {
    const groups = describeSettings()
    return [
      { path: page, text: replaceBlock(await readFile(join(root, page), 'utf8'), tables(groups)) },
      { path: '.env.example', text: exampleFile(groups) },
    ]
  },
}

/** The text around the block is written by hand. */
function replaceBlock(text: string, block: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${page} has no block between "${begin} … -->" and "${end}"`)
  return `${text.slice(0, from)}${begin}: ${generatedFrom(source)} -->\n${block}\n${text.slice(to)}`
}

function tables(groups: readonly SettingGroup[]): string {
  return groups.map(({ title, settings }) => [`### ${title}`, '', ...table(settings), ''].join('\n')).join('\n')
}

function table(settings: readonly ListedSetting[]): string[] {
  return [
    '| Setting | Default | What it does |',
    '|---|---|---|',
    ...settings.map((listed) => {
      const { name, about, isSecret } = listed.setting
      return `| \`${name}\` | ${defaultOf(listed)} | ${about.replaceAll('|', '\\|')}${isSecret ? ' Secret.' : ''} |`
    }),
  ]
}

function defaultOf({ setting, switchedBy }: ListedSetting): string {
  if (setting.default !== undefined)
    return setting.default === '' ? 'none' : `\`${setting.default.replaceAll(/\$\{(\w+)\}/g, '<$1>')}\``
  const { replacedBy } = setting
  if (replacedBy) return `**required** without ${replacedBy.map((name) => `\`${name}\``).join(' and ')}`
  if (switchedBy === null) return '**required**'
  return switchedBy === setting.name ? 'none' : `required with \`${switchedBy}\``
}

function exampleFile(groups: readonly SettingGroup[]): string {
  const head = [
    generatedFrom(source),
    'Copy this file to .env and change the copy: pnpm exec node --env-file=.env server/src/main.ts serve',
  ]
  const parts = groups.map(({ title, settings }) => [`# ${title}`, ...settings.map(exampleLines)].join('\n\n'))
  return `${[head.map((line) => `# ${line}`).join('\n'), ...parts].join('\n\n')}\n`
}

/** Only what must be set is switched on; everything else shows its default, or an example when there is none. */
function exampleLines({ setting, switchedBy }: ListedSetting): string {
  const { name, about, example = '', default: fallback } = setting
  const isRequired = fallback === undefined && switchedBy === null
  const isFixed = fallback && !fallback.includes('${')
  const value = isFixed ? fallback : example || fallback?.replaceAll(/\$\{(\w+)\}/g, '<$1>')
  const assignment = `${name}=${/[\s#"]/.test(value ?? '') ? `'${value}'` : value}`
  const note = fallback === undefined && switchedBy !== null && switchedBy !== name ? ` Required with ${switchedBy}.` : ''
  return [...wrap(`${about}${note}`).map((line) => `# ${line}`), isRequired ? assignment : `#${assignment}`].join('\n')
}

function wrap(text: string): string[] {
  return text.split(' ').reduce<string[]>((lines, word) => {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= commentWidth) return [...lines.slice(0, -1), `${last} ${word}`]
    return [...lines, word]
  }, [])
}
