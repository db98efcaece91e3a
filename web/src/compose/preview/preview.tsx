import { hasAiLabel } from '@carillon/core'
import { CircleAlert, Sparkles } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { avatarAddress } from '../../api/integrations.ts'
import { hasReadableHandle } from '../../connections/account-label.ts'
import { PlatformMark } from '../../connections/platform-mark.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { type ComposeState, filesOf } from '../state/compose-state.ts'
import { sentDraft } from '../state/channel-draft.ts'
import type { Account } from '../state/findings.ts'
import { costOf } from './cost-of.ts'
import { PreviewPost } from './preview-post.tsx'
import { PreviewText } from './preview-text.tsx'

type PreviewProps = {
  state: ComposeState
  /** The accounts that the post goes to. */
  accounts: readonly Account[]
  /** Opens the tab of an account in the composer, while one is open there. */
  onTab?: (slug: string) => void
  /** What the platform charges is of interest until the post is published. */
  hidesCost?: boolean
  /** It is one of the sections of a page, and has a heading as these have. */
  isSection?: boolean
}

/** How the post would look: true about what is shown and where it folds, in our own design. */
export function Preview({ state, accounts, onTab, hidesCost = false, isSection = false }: PreviewProps) {
  const { t } = useTranslation('compose')
  const [chosen, setChosen] = useState<string | null>(null)
  const slug = state.tab ?? chosen
  const account = accounts.find((each) => each.slug === slug) ?? accounts[0]
  return (
    <section aria-label={t('preview.title')} className="flex flex-col gap-3">
      <h2 className={isSection ? 'font-serif text-xl' : 'text-sm font-medium'}>{t('preview.title')}</h2>
      {accounts.length > 1 && (
        <div className="flex flex-wrap gap-1">
          {accounts.map(({ slug: each, platform }) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === account?.slug}
              // An account's tab shows its preview: then both change together.
              onClick={() => (state.tab !== null && onTab ? onTab(each) : setChosen(each))}
              className="flex min-h-8 items-center gap-1.5 rounded-control px-2 text-sm text-quiet hover:bg-hover aria-pressed:bg-bell-wash aria-pressed:font-medium aria-pressed:text-bell pointer-coarse:min-h-11"
            >
              <PlatformMark platform={platform.platform} className="size-4" />
              {platform.name}
            </button>
          ))}
        </div>
      )}
      {account ? <PreviewCard {...{ state, account, hidesCost }} /> : <p className="text-sm text-quiet">{t('preview.empty')}</p>}
    </section>
  )
}

type PreviewCardProps = { state: ComposeState; account: Account; hidesCost: boolean }

function PreviewCard({ state, account, hidesCost }: PreviewCardProps) {
  const { t, i18n } = useTranslation('compose')
  const { id: workspaceId } = useWorkspace()
  const { slug, connection, platform } = account
  const draft = sentDraft(state, account)
  const cost = hidesCost ? null : costOf(draft, platform)
  const writeDollars = (dollars: number) =>
    dollars.toLocaleString(i18n.language, {
      style: 'currency',
      currency: 'USD',
      minimumFractionDigits: 2,
      maximumFractionDigits: 3,
    })
  const ownLabel = platform.aiLabel && draft.settings?.[platform.aiLabel.setting]
  const isLabelledAsAi = hasAiLabel(draft, platform) && (ownLabel ?? draft.aiGenerated) === true
  const takes = { image: platform.photos, video: platform.video, document: platform.document }
  const [shown, refused] = [true, false].map((isTaken) =>
    filesOf(state, slug).filter(({ kind }) => (takes[kind] !== null) === isTaken),
  )
  return (
    <figure className="flex flex-col gap-2">
      <div className="overflow-hidden rounded-card border border-line bg-surface">
        <div className="flex items-center gap-2.5 p-3">
          <Avatar name={connection.displayName} src={avatarAddress(workspaceId, connection)} />
          <div className="min-w-0 text-sm">
            <p className="truncate font-medium">{connection.displayName}</p>
            {hasReadableHandle(connection) && <p className="truncate text-quiet">{connection.handle}</p>}
          </div>
          <PlatformMark platform={platform.platform} className="ml-auto size-5 self-start" />
        </div>
        <PreviewPost key={slug} draft={draft} platform={platform} files={shown ?? []} />
        {isLabelledAsAi && (
          <p className="flex items-center gap-2 px-3 pb-3 text-sm text-quiet">
            <Sparkles aria-hidden className="size-4 shrink-0" />
            {t('preview.aiLabel')}
          </p>
        )}
        {refused?.map(({ key, name }) => (
          <p key={key} className="flex items-start gap-2 border-t border-line p-3 text-sm text-rust">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0 break-words">{t('preview.refused', { platform: platform.name, name })}</span>
          </p>
        ))}
        {platform.can.thread &&
          draft.thread?.map(({ text }, index) => (
            <div key={index} className="border-t border-line p-3">
              <PreviewText text={text} foldAt={platform.preview.foldAt} />
            </div>
          ))}
        {draft.firstComment !== null && platform.can.firstComment && (
          <div className="flex items-start gap-2 border-t border-line p-3 text-sm">
            <Avatar name={connection.displayName} src={avatarAddress(workspaceId, connection)} size="sm" />
            <div className="min-w-0">
              <p className="text-xs text-quiet">{t('preview.comment')}</p>
              <p className="break-words whitespace-pre-wrap">{draft.firstComment}</p>
            </div>
          </div>
        )}
      </div>
      <figcaption className="flex flex-col gap-1 text-xs text-faint">
        <span>{t('preview.roughly', { platform: platform.name })}</span>
        {cost && (
          <span className="text-quiet">
            {t(cost.hasLink ? 'preview.costsForLink' : 'preview.costs', {
              platform: platform.name,
              amount: writeDollars(cost.dollars),
            })}
          </span>
        )}
      </figcaption>
    </figure>
  )
}
