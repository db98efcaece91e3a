import { problem, type Detail } from '../../infra/problem/problem.ts'
import type { FieldRule } from './auth-paths.ts'

/** A path of ours and nothing else: signing in must not become a way to send people elsewhere. */
const pathPattern = /^\/(?![/\\])[^\\\s]*$/
const pathLengthMax = 500

/** The body, if it has no other fields than these and each is what it should be. Whether one is missing is seen further on. */
export function checkFields(rules: Readonly<Record<string, FieldRule>>, body: unknown): Record<string, unknown> {
  const given = body ?? {}
  if (typeof given !== 'object' || Array.isArray(given))
    throw problem('request_invalid', { details: [{ path: 'body', message: 'Must be an object.' }] })
  const details = Object.entries(given).flatMap(([path, value]): Detail[] => {
    const message = complaint(rules[path], value)
    return message === null ? [] : [{ path, message }]
  })
  if (details.length > 0) throw problem('request_invalid', { details })
  return { ...given }
}

function complaint(rule: FieldRule | undefined, value: unknown): string | null {
  if (rule === undefined) return 'There is no such field.'
  if (rule === 'flag') return typeof value === 'boolean' ? null : 'Must be true or false.'
  if (rule === 'object') return typeof value === 'object' && value !== null ? null : 'Must be an object.'
  if (typeof value !== 'string') return 'Must be text.'
  if (rule === 'path')
    return value.length <= pathLengthMax && pathPattern.test(value) ? null : 'Must be a path here, such as /posts.'
  return value.length <= rule ? null : `Must have at most ${rule} characters.`
}
