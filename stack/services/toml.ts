export type TomlValue = string | number | boolean | readonly string[]
export type TomlTable = { [key: string]: TomlValue | TomlTable }

/** Writes settings as TOML: plain values first, then each table under its full name, as the format demands. */
export function toToml(table: TomlTable, path: readonly string[] = []): string {
  const lines = path.length > 0 ? [`[${path.join('.')}]`] : []
  const inner: string[] = []
  for (const [key, value] of Object.entries(table)) {
    if (typeof value === 'object' && !isList(value)) inner.push(toToml(value, [...path, key]))
    // JSON's strings, numbers, booleans and lists of strings are TOML's too.
    else lines.push(`${key} = ${JSON.stringify(value)}`)
  }
  return [lines.join('\n'), ...inner].filter((part) => part !== '').join('\n\n')
}

function isList(value: readonly string[] | TomlTable): value is readonly string[] {
  return Array.isArray(value)
}
