import type { Account } from '../state/findings.ts'
import type { Declarations } from './read-declarations.ts'

type Chosen = { settings: Readonly<Record<string, unknown>>; declarations: Declarations }

/** Why a value cannot be chosen beside what is chosen already; null if it can. */
export function findExclusion(
  { platform }: Account,
  { settings, declarations }: Chosen,
  { name, value }: { name: string; value: unknown },
): string | null {
  const conflict = platform.settingConflicts.find(({ setting, value: first, other, others }) => {
    if (name === setting && value === first) return settings[other] !== undefined && others.includes(settings[other])
    return name === other && others.includes(value) && settings[setting] === first
  })
  return conflict ? (declarations.excluded[conflict.setting] ?? conflict.message) : null
}
