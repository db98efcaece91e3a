import { Check, Minus } from 'lucide-react'
import { useTranslation } from 'react-i18next'

type ScopeListProps = {
  asked: readonly string[]
  /** Null where the platform does not say what was granted. */
  granted: readonly string[] | null
}

/** The permissions that the platform was asked for, and which of them were granted. */
export function ScopeList({ asked, granted }: ScopeListProps) {
  const { t } = useTranslation('connections')
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {asked.map((scope) => (
        <li key={scope} className="flex flex-wrap items-center gap-2">
          <code className="font-mono break-all">{scope}</code>
          {granted !== null && (
            <span className="inline-flex items-center gap-1 text-quiet [&_svg]:size-3.5">
              {granted.includes(scope) ? <Check aria-hidden /> : <Minus aria-hidden />}
              {granted.includes(scope) ? t('failure.granted') : t('failure.notGranted')}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
