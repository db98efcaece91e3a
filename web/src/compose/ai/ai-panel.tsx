import { countText } from '@carillon/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { aiStatus } from '../../api/queries.gen.ts'
import { PlatformMark } from '../../connections/platform-mark.tsx'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Button, buttonLook } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useCompose } from '../compose-context.ts'
import { fieldOf } from '../state/channel-draft.ts'
import { textsOf } from '../state/compose-reducer.ts'
import { AiForm } from './ai-form.tsx'
import { addHashtags } from './find-hashtags.ts'
import type { Ai } from './use-ai.ts'
import { type PlatformInScope, usePlatformsInScope } from './use-platforms-in-scope.ts'

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

/** Why there are no suggestions: this install has no model, or the plan of the workspace does not include it. */
function AiUnavailable({ hasModel }: { hasModel: boolean }) {
  const { t } = useTranslation('compose')
  const { workspaceId } = useCompose()
  if (!hasModel) return <Notice title={t('ai.notSetUp.title')}>{t('ai.notSetUp.sentence')}</Notice>
  return (
    <Notice
      title={t('ai.notInPlan.title')}
      actions={
        <Link
          to="/w/$workspaceId/settings/$section"
          params={{ workspaceId, section: 'plan' }}
          className={buttonLook({ size: 'sm' })}
        >
          {t('ai.notInPlan.show')}
        </Link>
      }
    >
      {t('ai.notInPlan.sentence')}
    </Notice>
  )
}

type HashtagListProps = { suggested: readonly { platform: string; hashtags: readonly string[] }[] }

/** Hashtags to tick. Those that are chosen follow the text of the open tab. */
function HashtagList({ suggested }: HashtagListProps) {
  const { t } = useTranslation('compose')
  const { state } = useCompose()
  const apply = useApplyText()
  const inScope = new Set(usePlatformsInScope().map(({ platform }) => platform as string))
  const tags = [...new Set(suggested.flatMap(({ platform, hashtags }) => (inScope.has(platform) ? hashtags : [])))]
  const [chosen, setChosen] = useState<readonly string[]>([])
  const add = () => {
    apply(state.tab === null ? null : [state.tab], (before) => addHashtags(before, chosen))
    setChosen([])
  }
  return (
    <fieldset className="flex flex-col gap-3 border-t border-line pt-4">
      <legend className="sr-only">{t('ai.hashtags')}</legend>
      <output className="sr-only">{t('ai.hashtagsReady', { count: tags.length })}</output>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {tags.map((tag) => (
          <Checkbox
            key={tag}
            label={tag}
            checked={chosen.includes(tag)}
            onChange={(checked) => setChosen(checked ? [...chosen, tag] : chosen.filter((other) => other !== tag))}
          />
        ))}
      </div>
      <Button size="sm" className="self-start" disabled={chosen.length === 0} onClick={add}>
        {t('ai.addHashtags', { count: chosen.length })}
      </Button>
    </fieldset>
  )
}

type CaptionListProps = { captions: Readonly<Record<string, string>>; ai: Ai }

/** One caption for each platform, as long as it takes. A caption replaces the text or follows it. */
function CaptionList({ captions, ai }: CaptionListProps) {
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

/** Writes a suggested text for some accounts, or for all (`null`). What stood there before can be brought back. */
function useApplyText(): (slugs: readonly string[] | null, next: (before: string) => string) => void {
  const { t } = useTranslation('compose')
  const { state, dispatch } = useCompose()
  return (slugs, next) => {
    const before = textsOf(state)
    const [first = null] = slugs ?? []
    dispatch({ type: 'writeFor', slugs, value: next(fieldOf(state, first, 'text')) })
    showToast({
      title: t('ai.used'),
      action: { label: t('ai.undo'), run: () => dispatch({ type: 'restoreTexts', texts: before }) },
    })
  }
}
