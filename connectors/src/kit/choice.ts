import { Type, type TUnsafe } from 'typebox'

type Options<Value extends string> = { title: string; description: string; default?: Value }

/** A setting with a few values, each with a name that a person can read. The names are in `GET /platforms`, for forms. */
export function choice<const Names extends Record<string, string>>(
  names: Names,
  options: Options<Extract<keyof Names, string>>,
): TUnsafe<Extract<keyof Names, string>> {
  const oneOf = Object.entries(names).map(([value, title]) => ({ const: value, title }))
  return Type.Unsafe<Extract<keyof Names, string>>({ type: 'string', oneOf, ...options })
}
