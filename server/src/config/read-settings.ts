import { StartError } from '../infra/problem/problem.ts'
import { listSettings } from './list-settings.ts'
import {
  isOptional,
  isPerPlatform,
  isSetting,
  type Setting,
  type SettingNode,
  type SettingTree,
  type ValueOf,
} from './setting.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads every setting before it fails, so that one start shows every problem. */
export function readSettings<Tree extends SettingTree>(tree: Tree, env: Environment): ValueOf<Tree> {
  const problems: string[] = []
  const byName = new Map(listSettings(tree).map(({ setting }) => [setting.name, setting]))
  const values = new Map<string, unknown>()

  const read = (setting: Setting): unknown => {
    const { name } = setting
    if (!values.has(name)) values.set(name, parse(setting))
    return values.get(name)
  }
  const parse = (setting: Setting): unknown => {
    const { name } = setting
    const value = env[name] ?? expand(setting.default)
    try {
      if (setting.default === undefined && !value && !isReplaced(setting, env)) throw new Error(`${name} is not set.`)
      return setting.parse(value, name)
    } catch (error) {
      problems.push(`${error instanceof Error ? error.message : String(error)}${hint(setting)}`)
      return undefined
    }
  }
  const expand = (template = ''): string =>
    template.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const other = byName.get(name)
      if (!other || !isSetting(other)) throw new Error(`a default refers to ${name}, which is not a setting`)
      return String(read(other))
    })
  const readNode = (node: SettingNode): unknown => {
    if (isSetting(node)) return read(node)
    if (isPerPlatform(node)) return readPerPlatform(node.name, node.parseEach, env)
    if (!isOptional(node)) return readFields(node)
    const switchedBy = node.fields[node.when]
    return switchedBy && isSetting(switchedBy) && env[switchedBy.name] ? readFields(node.fields) : null
  }
  const readFields = (fields: SettingTree): object =>
    Object.fromEntries(Object.entries(fields).map(([field, node]) => [field, readNode(node)]))

  const config = readFields(tree)
  if (problems.length > 0) throw new StartError(describe(problems))
  return config as ValueOf<Tree>
}

function isReplaced({ replacedBy }: Setting, env: Environment): boolean {
  return replacedBy?.every((name) => env[name]) ?? false
}

function readPerPlatform(name: string, parseEach: (text: string) => unknown, env: Environment): Record<string, unknown> {
  const prefix = name.replace('<PLATFORM>', '')
  return Object.fromEntries(
    Object.entries(env)
      .filter(([variable]) => variable.startsWith(prefix))
      .map(([variable, value = '']) => [variable.slice(prefix.length).toLowerCase(), parseEach(value)]),
  )
}

function hint({ name, example, default: fallback }: Setting): string {
  const value = example ?? fallback
  return value ? ` For example: ${name}=${value}` : ''
}

function describe(problems: readonly string[]): string {
  const title = problems.length === 1 ? 'A setting is wrong.' : `${problems.length} settings are wrong.`
  return [`${title} All settings are explained in docs/configuration.md.`, ...problems.map((each) => `- ${each}`)].join('\n')
}
