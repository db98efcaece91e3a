import { Type } from 'typebox'
import { Value } from 'typebox/value'

const Usage = Type.Record(
  Type.String(),
  Type.Array(Type.Object({ estimated_time_to_regain_access: Type.Optional(Type.Number()) })),
)

/** Meta names the wait in minutes, in JSON, in its own header. This turns it into the usual `retry-after` header. */
export function retryAfterFromUsage(headers: Record<string, string>): { 'retry-after'?: string } {
  const usage = parse(headers['x-business-use-case-usage'])
  if (!Value.Check(Usage, usage)) return {}
  const minutes = Object.values(usage).flatMap((uses) => uses.map((use) => use.estimated_time_to_regain_access ?? 0))
  const longest = Math.max(0, ...minutes)
  return longest > 0 ? { 'retry-after': String(longest * 60) } : {}
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
