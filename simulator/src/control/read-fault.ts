import { isFields, listOf, numberOf, type Fields } from '../http/fields.ts'
import type { Headers } from '../http/reply.ts'
import type { Fault, PlainFault } from '../state/faults.ts'

/** Returns undefined if the fields do not describe a known fault. */
export function readFault(fields: Fields): Fault | undefined {
  if (fields['kind'] !== 'random') return readPlainFault(fields)
  const faults = listOf(fields['faults']).map((one) => (isFields(one) ? readPlainFault(one) : undefined))
  const known = faults.filter((fault) => fault !== undefined)
  const probability = numberOf(fields['probability'])
  if (known.length === 0 || known.length < faults.length || probability === undefined) return undefined
  return { kind: 'random', seed: numberOf(fields['seed']) ?? 1, probability, faults: known }
}

function readPlainFault(fields: Fields): PlainFault | undefined {
  const { kind } = fields
  if (kind === 'status') return readStatus(fields)
  if (kind === 'drop_before' || kind === 'drop_after' || kind === 'expired_token') return { kind }
  if (kind === 'garbage') return { kind, commit: fields['commit'] === true }
  if (kind === 'delay') {
    const ms = numberOf(fields['ms'])
    return ms === undefined ? undefined : { kind, ms, when: fields['when'] === 'before' ? 'before' : 'after' }
  }
  if (kind === 'slow_body') {
    const bytesPerSecond = numberOf(fields['bytesPerSecond'])
    return bytesPerSecond === undefined || bytesPerSecond <= 0 ? undefined : { kind, bytesPerSecond }
  }
  if (kind === 'huge_body') {
    const bytes = numberOf(fields['bytes'])
    return bytes === undefined ? undefined : { kind, bytes }
  }
  return undefined
}

function readStatus(fields: Fields): PlainFault | undefined {
  const status = numberOf(fields['status'])
  if (status === undefined || status < 200 || status > 599) return undefined
  const retryAfterSeconds = numberOf(fields['retryAfterSeconds'])
  const headers: Headers = {}
  if (isFields(fields['headers']))
    for (const [name, value] of Object.entries(fields['headers'])) headers[name.toLowerCase()] = String(value)
  return {
    kind: 'status',
    status,
    headers,
    commit: fields['commit'] === true,
    ...(fields['body'] === undefined ? {} : { body: fields['body'] }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}
