import { useTranslation } from 'react-i18next'
import { useCompose } from '../compose-context.ts'
import { countFor, sentDraft, type TextCount } from '../state/channel-draft.ts'

const tones: Readonly<Record<TextCount['level'], string>> = { fine: 'text-quiet', near: 'text-straw', over: 'text-rust' }

/** The length of the text is said here and nowhere else, so the text field points here when it is too long. */
export const countRowId = 'compose-count'

type NamedCount = TextCount & { name: string }

/** How many characters are left on each platform, counted as the platform counts. The tightest stands first and large. */
export function CountRow() {
  const { t, i18n } = useTranslation('compose')
  const { state, accounts } = useCompose()
  const shown = accounts.filter(({ slug }) => state.tab === null || slug === state.tab)
  const counts = shown.map((account) => ({
    name: account.platform.name,
    ...countFor(sentDraft(state, account), account.platform),
  }))
  const [tightest, ...rest] = withoutRepeats(counts).toSorted((a, b) => a.left - b.left)
  if (!tightest) return null
  const isOver = tightest.level === 'over'
  // Read out in steps of ten: a count at every key would be in the way of writing.
  const spoken = ({ name, left, level }: NamedCount) => {
    if (level === 'over') return t('count.tooLong', { name })
    return level === 'near' ? t('count.near', { name, left: Math.ceil(left / 10) * 10 }) : ''
  }
  return (
    <div id={countRowId} className="figures flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
      <span className={`font-medium ${tones[tightest.level]}`}>
        <span className="text-lg">{Math.abs(tightest.left).toLocaleString(i18n.language)}</span>{' '}
        {isOver ? t('count.over', tightest) : t('count.left', { name: tightest.name })}
      </span>
      {rest.map(({ name, left, level }) => (
        <span key={`${name} ${left}`} className={tones[level]}>
          {name} {left.toLocaleString(i18n.language)}
        </span>
      ))}
      <output className="sr-only">{spoken(tightest)}</output>
    </div>
  )
}

/** Two accounts of a platform with the same text have the same count. */
function withoutRepeats(counts: readonly NamedCount[]): NamedCount[] {
  return counts.filter(({ name, left }, at) => counts.findIndex((other) => other.name === name && other.left === left) === at)
}
