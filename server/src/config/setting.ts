/** The sections of docs/configuration.md and .env.example, in this order. */
export const groups = [
  'Database, secrets and engine',
  'Addresses',
  'Operator',
  'Platforms',
  'Media',
  'Sign-in',
  'Mail',
  'AI',
  'Quotas',
  'Retention',
  'Network, limits and logging',
] as const

export type SettingFacts = {
  /** The environment variable. */
  name: string
  group: (typeof groups)[number]
  /** Full sentences for the documentation. */
  about: string
  /** The text that is parsed when the variable is absent; `${NAME}` is the value of another setting. No default: it must be set. */
  default?: string
  /** If all of these settings are set, this one may be absent although it has no default. */
  replacedBy?: readonly string[]
  /** A value that is accepted, or a placeholder for a secret. */
  example?: string
  /** The value must not appear in messages, logs and screenshots. */
  isSecret?: boolean
}

/** `parse` throws an Error whose message is a sentence that starts with the name of the setting. */
export type Setting<T = unknown> = SettingFacts & { parse: (text: string, name: string) => T }

/** One variable per platform: `<PLATFORM>` in the name stands for the platform in capital letters, with `_` for `-`. */
export type SettingPerPlatform<T = unknown> = SettingFacts & { parseEach: (text: string) => T }

/** A part of the configuration that is null, and whose other settings are not read, while the setting `when` is empty. */
export type OptionalSettings<Fields extends SettingTree = SettingTree> = { when: string; fields: Fields }

export type SettingTree = { readonly [field: string]: SettingNode }
export type SettingNode = Setting | SettingPerPlatform | OptionalSettings | SettingTree

/** The configuration that a tree of settings produces. */
export type ValueOf<Node> = Node extends { parse: (...args: never[]) => infer T }
  ? T
  : Node extends { parseEach: (...args: never[]) => infer T }
    ? Readonly<Record<string, T>>
    : Node extends { when: string; fields: infer Fields }
      ? ValuesOf<Fields> | null
      : ValuesOf<Node>

type ValuesOf<Fields> = { [Field in keyof Fields]: ValueOf<Fields[Field]> }

export function isSetting(node: SettingNode | SettingFacts): node is Setting {
  return 'parse' in node && typeof node.parse === 'function'
}

export function isPerPlatform(node: SettingNode): node is SettingPerPlatform {
  return 'parseEach' in node && typeof node.parseEach === 'function'
}

export function isOptional(node: SettingNode): node is OptionalSettings {
  return 'when' in node && typeof node.when === 'string'
}
