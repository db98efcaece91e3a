import { problem, type Detail } from '../../infra/problem/problem.ts'
import { localPath } from '../../infra/http/local-path.ts'
import type { FieldRule } from './auth-paths.ts'

const pathLengthMax = 4000

/** Returns the body if it has only known fields and each follows its rule. better-auth itself checks for missing fields. */
export function checkFields(rules: Readonly<Record<string, FieldRule>>, body: unknown): Record<string, unknown> {
  const given = body ?? {}
  if (typeof given !== 'object' || Array.isArray(given))
    throw problem('request_invalid', { details: [{ path: 'body', message: 'Must be an object.' }] })
  const details = Object.entries(given).flatMap(([path, value]): Detail[] => {
    const message = findError(Object.hasOwn(rules, path) ? rules[path] : undefined, value)
    return message === null ? [] : [{ path, message }]
  })
  if (details.length > 0) throw problem('request_invalid', { details })
  return { ...given }
}

function findError(rule: FieldRule | undefined, value: unknown): string | null {
  if (rule === undefined) return 'This field is not known here.'
  if (rule === 'flag') return typeof value === 'boolean' ? null : 'Must be true or false.'
  if (rule === 'object') return typeof value === 'object' && value !== null ? null : 'Must be an object.'
  if (typeof value !== 'string') return 'Must be text.'
  // Signing in must not redirect people to another site.
  if (rule === 'path')
    return value.length <= pathLengthMax && localPath(value) !== null ? null : 'Must be a path on this host, such as /posts.'
  return value.length <= rule ? null : `Must have at most ${rule} characters.`
}
