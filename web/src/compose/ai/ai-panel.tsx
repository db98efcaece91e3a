import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { aiStatus } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useCompose } from '../compose-context.ts'
import { AiForm } from './ai-form.tsx'
import { AiUnavailable } from './ai-unavailable.tsx'
import { CaptionList } from './caption-list.tsx'
import { HashtagList } from './hashtag-list.tsx'
import type { Ai } from './use-ai.ts'

/** Suggestions of the language model. Nothing is changed in the post until a suggestion is used. */
export function AiPanel({ ai, onClose }: { ai: Ai; onClose: () => void }) {
  const { t } = useTranslation('compose')
  const { workspaceId, accounts } = useCompose()
  const { data: status, error, refetch } = useQuery(aiStatus(workspaceId))
  const panel = useRef<HTMLElement>(null)
  const isReady = status?.available === true && accounts.length > 0
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>(isReady ? 'textarea' : 'a, button')?.focus()
  }, [isReady])
  const onKeyDown = (event: KeyboardEvent) => {
    // An open list of choices takes Escape first.
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onClose()
  }
  const { captions, hashtags } = ai
  return (
    // Escape closes it from anywhere inside; the button does the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={panel}
      aria-label={t('ai.title')}
      onKeyDown={onKeyDown}
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 className="font-serif text-lg">{t('ai.title')}</h2>
        <IconButton label={t('ai.close')} icon={<X aria-hidden />} className="-my-2 -mr-2" onClick={onClose} />
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!status && !error && <SkeletonLines label={t('loading')} count={2} />}
      {status && !status.available && <AiUnavailable hasModel={status.model !== ''} />}
      {status?.available && accounts.length === 0 && <p className="text-quiet">{t('ai.noAccounts')}</p>}
      {isReady && <AiForm ai={ai} />}
      {captions.error && <ErrorNotice error={captions.error} onRetry={() => repeat(captions)} />}
      {isReady && captions.data && <CaptionList captions={captions.data} ai={ai} />}
      {hashtags.error && <ErrorNotice error={hashtags.error} onRetry={() => repeat(hashtags)} />}
      {isReady && hashtags.data && <HashtagList key={hashtags.submittedAt} suggested={hashtags.data} />}
    </section>
  )
}

function repeat<Wish>({ variables, mutate }: { variables: Wish | undefined; mutate: (wish: Wish) => void }): void {
  if (variables !== undefined) mutate(variables)
}
