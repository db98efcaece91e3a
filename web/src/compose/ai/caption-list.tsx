import { countText } from '@carillon/core'
import { useTranslation } from 'react-i18next'
import { PlatformMark } from '../../connections/platform-mark.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { useCompose } from '../compose-context.ts'
import { useApplyText } from './use-apply-text.ts'
import { usePlatformsInScope, type PlatformInScope } from './use-platforms-in-scope.ts'
import type { Ai } from './use-ai.ts'

type CaptionListProps = { captions: Readonly<Record<string, string>>; ai: Ai }

/** One caption for each platform, as long as it takes. A caption replaces the text or follows it. */
export function CaptionList({ captions, ai }: CaptionListProps) {
  const { t } = useTranslation('compose')
  const shown = usePlatformsInScope().flatMap((platform) => {
    const caption = captions[platform.platform]
    return caption === undefined ? [] : [{ platform, caption }]
  })
  const { isAdded } = ai.choices
  return (
    <section aria-label={t('ai.captions')} className="flex flex-col gap-3 border-t border-line pt-4">
      <output className="sr-only">{t('ai.captionsReady', { count: shown.length })}</output>
      <Checkbox label={t('ai.keepText')} checked={isAdded} onChange={(checked) => ai.change({ isAdded: checked })} />
      <ul className="flex flex-col gap-3">
        {shown.map(({ platform, caption }) => (
          <CaptionItem
            key={platform.platform}
            platform={platform}
            caption={caption}
            isOnly={shown.length === 1}
            isAdded={isAdded}
          />
        ))}
      </ul>
    </section>
  )
}

type CaptionItemProps = { platform: PlatformInScope; caption: string; isOnly: boolean; isAdded: boolean }

function CaptionItem({ platform, caption, isOnly, isAdded }: CaptionItemProps) {
  const { t } = useTranslation('compose')
  const { state } = useCompose()
  const apply = useApplyText()
  const next = (before: string) => (isAdded && before.trim() !== '' ? `${before.trimEnd()}\n\n${caption}` : caption)
  const use = (slugs: readonly string[] | null) => apply(slugs, next)
  const { name, slugs, text } = platform
  return (
    <li className="flex flex-col gap-2 rounded-control bg-sunken p-3">
      <p className="flex items-center gap-1.5 text-sm font-medium">
        <PlatformMark platform={platform.platform} className="size-4" />
        {name}
        <span className="figures ml-auto font-normal text-quiet">
          {t('ai.length', { count: countText(caption, text), limit: text.max })}
        </span>
      </p>
      <p className="break-words whitespace-pre-wrap">{caption}</p>
      <div className="flex flex-wrap gap-2">
        {(state.tab !== null || !isOnly) && (
          <Button size="sm" onClick={() => use(slugs)}>
            {t('ai.useOn', { name })}
          </Button>
        )}
        {state.tab === null && (
          <Button size="sm" variant={isOnly ? 'secondary' : 'quiet'} onClick={() => use(null)}>
            {t('ai.useForAll')}
          </Button>
        )}
      </div>
    </li>
  )
}
