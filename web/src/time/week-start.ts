/** The part of Intl that TypeScript does not know yet. */
type LocaleWithWeek = Intl.Locale & { getWeekInfo?: () => { firstDay: number } }

/** The first day of the week where a language is spoken: 1 for Monday, 7 for Sunday. */
export function weekStartOf(language: string): number {
  const locale: LocaleWithWeek = new Intl.Locale(language)
  return locale.getWeekInfo?.().firstDay ?? 1
}
