import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { localeOf } from '../i18n/language.ts'
import type { TimeStyle } from '../time/format-time.ts'
import { weekStartOf } from '../time/week-start.ts'
import { useWorkspace } from './use-workspace.ts'
import { useMe } from './use-me.ts'

const weekStarts = { monday: 1, saturday: 6, sunday: 7 } as const

/** How times are written for this person, in the zone of the workspace. `weekStart` is 1 for Monday, 7 for Sunday. */
export function useTimeStyle(): TimeStyle & { weekStart: number } {
  const { timezone: zone } = useWorkspace()
  const { i18n } = useTranslation()
  const me = useMe()
  return useMemo(() => {
    // The region decides between 9:00 PM and 21:00; the language of the app alone has none.
    const own = me?.locale?.startsWith(`${i18n.language}-`) === true ? me.locale : null
    const language = own ?? localeOf(i18n.language)
    const weekStart = me?.weekStart ? weekStarts[me.weekStart] : weekStartOf(language)
    return { zone, language, weekStart, ...(me?.hourCycle && { hourCycle: me.hourCycle }) }
  }, [zone, i18n.language, me])
}
