import { CarillonError, type Connection, type PlatformInfo } from '@carillon/sdk'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { AccountPicker } from './accounts/account-picker.tsx'
import { AccountTabs } from './accounts/account-tabs.tsx'
import { useChosenAccounts } from './accounts/use-chosen-accounts.ts'
import { useAi } from './ai/use-ai.ts'
import { ComposeContext } from './compose-context.ts'
import { ExtraFields } from './editor/extra-fields.tsx'
import { LabelField } from './editor/label-field.tsx'
import { SettingFields } from './editor/setting-fields.tsx'
import { TextEditor } from './editor/text-editor.tsx'
import { ThreadFields } from './editor/thread-fields.tsx'
import { useDescribeFinding } from './editor/use-describe-finding.ts'
import { AddFiles } from './files/add-files.tsx'
import { DropArea } from './files/drop-area.tsx'
import { FileList } from './files/file-list.tsx'
import { useUploads } from './files/use-uploads.ts'
import { Preview } from './preview/preview.tsx'
import type { SaveView } from './saving/draft-saver.ts'
import type { Start } from './saving/start-composer.ts'
import { useComposer } from './saving/use-composer.ts'
import { RepeatButton } from './schedule/repeat-button.tsx'
import { ScheduleFields } from './schedule/schedule-fields.tsx'
import { type ComposeState, allFiles } from './state/compose-state.ts'
import { type Account, type Finding, checkPost, isMissing, onlyFromServer, readDetails } from './state/findings.ts'
import { Conflict } from './submit/conflict.tsx'
import { FindingSummary } from './submit/finding-summary.tsx'
import { SubmitBar } from './submit/submit-bar.tsx'
import { useComposeKeys } from './submit/use-compose-keys.ts'
import { useSubmit } from './submit/use-submit.ts'

type ComposerProps = {
  title: string
  start: Start
  connections: readonly Connection[]
  platforms: readonly PlatformInfo[]
  onCreated: (postId: string) => void
}

export function Composer({ title, start, connections, platforms, onCreated }: ComposerProps) {
  const { t } = useTranslation('compose')
  const { workspaceId } = start.copy
  const { state, dispatch, saver, saving } = useComposer(start.copy, onCreated)
  // Signing in again loads everything again, also the start.
  const [isRestored] = useState(start.isRestored)
  const [hasTried, setHasTried] = useState(false)
  const accounts = useChosenAccounts(workspaceId, state.accounts, { connections, platforms })
  const uploads = useUploads(
    workspaceId,
    dispatch,
    allFiles(state).some(({ mediaId, problem }) => mediaId === null && problem === null),
  )
  const isScheduled = start.copy.isScheduled === true
  const { publish, save, busyWith, error, reset } = useSubmit({ workspaceId, state, saver, isScheduled })
  const { shown, blocking, isReady } = useFindings({ state, accounts, saving, hasTried, refusal: error })
  const submitTo = (queueId: string | null) => {
    setHasTried(true)
    reset()
    if (isReady && busyWith === null) publish(queueId)
    else showSummary()
  }
  const submit = () => submitTo(null)
  // After the heading, which takes the focus of every new page: here people come to write.
  useEffect(() => document.querySelector<HTMLElement>('#compose-text')?.focus({ preventScroll: true }), [])
  // A refusal of the server comes later, when the page may have been scrolled.
  useEffect(() => {
    if (error !== null) showSummary()
  }, [error])
  useComposeKeys({ state, dispatch, onSubmit: submit, onSave: isScheduled ? submit : save })
  const ai = useAi(workspaceId)
  const account = accounts.find(({ slug }) => slug === state.tab)
  const describe = useDescribeFinding()
  const obstacle = blocking.find(({ code }) => disablingCodes.has(code))
  const problemCount = shown.filter(({ isBlocking }) => isBlocking).length
  const hasDetails = error instanceof CarillonError && error.details.length > 0
  const refusal = error ?? (saving.status === 'refused' ? saving.error : null)
  return (
    <ComposeContext value={{ workspaceId, state, dispatch, accounts, findings: shown }}>
      <DropArea onFiles={uploads.add}>
        <PageHeader title={title} />
        {isRestored && (
          <div className="mt-4">
            <Notice title={t('restored.title')}>{t('restored.sentence')}</Notice>
          </div>
        )}
        <div className="mt-6 mb-8 grid max-w-6xl gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="flex min-w-0 flex-col gap-6">
            <div id="compose-accounts">
              <AccountPicker connections={connections} platforms={platforms} />
            </div>
            <AccountTabs>
              <div className="flex flex-col gap-5">
                <TextEditor onFiles={uploads.add} ai={ai} />
                <div id="compose-files" className="flex flex-col gap-3">
                  <FileList uploads={uploads} />
                  <AddFiles onFiles={uploads.add} onLibrary={uploads.addFromLibrary} />
                </div>
                <ThreadFields />
                <ExtraFields />
                {account && <SettingFields key={account.slug} account={account} />}
              </div>
            </AccountTabs>
            <div id="compose-when" className="border-t border-line pt-5">
              <ScheduleFields isScheduled={isScheduled}>{!isScheduled && <RepeatButton saver={saver} />}</ScheduleFields>
            </div>
            <LabelField />
            <output className="sr-only">{problemCount > 0 && t('summary.problems', { count: problemCount })}</output>
            <div
              id={summaryId}
              tabIndex={-1}
              className="flex scroll-mb-24 flex-col gap-3 rounded-card outline-offset-2 empty:hidden"
            >
              {hasTried && blocking.length > 0 && <FindingSummary findings={blocking} />}
              {refusal !== null && !hasDetails && <ErrorNotice error={refusal} onRetry={submit} />}
            </div>
          </div>
          <aside className="lg:sticky lg:top-8 lg:self-start">
            <Preview state={state} accounts={accounts} onTab={(tab) => dispatch({ type: 'showTab', tab })} />
          </aside>
        </div>
        <SubmitBar
          status={saving.status}
          busyWith={busyWith}
          isScheduled={isScheduled}
          problemCount={hasTried ? blocking.length : 0}
          obstacle={obstacle ? describe(obstacle) : null}
          onShowProblems={showSummary}
          onSave={save}
          onSubmit={submit}
          onEnqueue={submitTo}
        />
        <Conflict saving={saving} saver={saver} />
      </DropArea>
    </ComposeContext>
  )
}

/** Platforms want the button to be off for these, and to say why. Everything else is said after an attempt. */
const disablingCodes: ReadonlySet<string> = new Set(['disclosure_incomplete', 'account_blocked'])

const summaryId = 'compose-summary'

/** Leads to what is in the way, after the page has shown it. */
function showSummary(): void {
  requestAnimationFrame(() => {
    const summary = document.querySelector<HTMLElement>(`#${summaryId}`)
    if (!summary?.hasChildNodes()) return
    summary.scrollIntoView({ block: 'center' })
    summary.focus({ preventScroll: true })
  })
}

type FindingSource = { state: ComposeState; accounts: readonly Account[]; saving: SaveView; hasTried: boolean; refusal: unknown }

type Findings = {
  /** What may be said now. */
  shown: Finding[]
  /** What is in the way of publishing. */
  blocking: Finding[]
  /** Whether the server can be asked: nothing is wrong that this page can tell by itself. */
  isReady: boolean
}

/** Everything that is known to be wrong: found here at every key, and by the server at every save. */
function useFindings({ state, accounts, saving, hasTried, refusal }: FindingSource): Findings {
  const { post } = saving
  const checked = post?.channels.map(({ connection }) => connection) ?? []
  const fromServer = onlyFromServer(readDetails(post?.issues ?? [], checked)).filter(isOfChosen)
  const refused = [refusal, saving.status === 'refused' ? saving.error : null].flatMap((error) =>
    error instanceof CarillonError ? readDetails(error.details, state.accounts) : [],
  )
  const own = checkPost(state, accounts, Date.now())
  const all = withoutRepeats([...own, ...[...fromServer, ...refused].filter((finding) => !isKnownHere(finding, own))])
  return {
    shown: all.filter((finding) => hasTried || !isMissing(finding)),
    blocking: all.filter(({ isBlocking }) => isBlocking),
    isReady: own.every(({ isBlocking }) => !isBlocking),
  }

  function isOfChosen({ slug }: Finding): boolean {
    return slug === null || state.accounts.includes(slug)
  }
}

/** The server says in one sentence that a file cannot be used; this page may know the reason already. */
function isKnownHere({ code, slug, path }: Finding, own: readonly Finding[]): boolean {
  return code === 'media_unusable' && own.some((other) => other.isBlocking && other.slug === slug && other.path === path)
}

function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const known = new Map(
    findings.toReversed().map((finding) => [`${finding.slug} ${finding.path} ${finding.code} ${finding.message}`, finding]),
  )
  return [...known.values()].toReversed()
}
