import { countText, splitDraft, tagLinks, threadMax } from '@carillon/core'
import { ArrowDown, ArrowUp, Plus, Scissors, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useCompose } from '../compose-context.ts'
import { channelDraft, countFor, linkTagsFor, sentDraft } from '../state/channel-draft.ts'
import { threadOf } from '../state/compose-state.ts'
import type { Account } from '../state/findings.ts'
import { OwnMark } from './own-mark.tsx'
import { useFieldError } from './use-describe-finding.ts'

/** The further posts of a thread, for accounts whose platform has threads. */
export function ThreadFields() {
  const { t } = useTranslation('compose')
  const { state, accounts, dispatch } = useCompose()
  const shown = accounts.filter(({ slug }) => (state.tab ?? slug) === slug)
  const takers = shown.filter(({ platform }) => platform.can.thread)
  const thread = threadOf(state, state.tab)
  if (takers.length === 0 && thread.length === 0) return null
  const write = (next: readonly string[]) => dispatch({ type: 'writeThread', thread: next })
  const add = () => {
    write([...thread, ''])
    // The field exists after the next paint.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`#compose-thread-${thread.length}`)?.focus())
  }
  return (
    <div id="compose-thread" className="flex flex-col gap-4">
      {thread.map((text, index) => (
        <ThreadField
          // Posts have no name but their place.
          key={index}
          index={index}
          text={text}
          count={thread.length}
          takers={takers}
          onWrite={(value) => write(thread.with(index, value))}
          onMove={(by) => write(swapped(thread, index, index + by))}
          onRemove={() => {
            write(thread.toSpliced(index, 1))
            document.querySelector<HTMLElement>('#compose-text')?.focus()
          }}
        />
      ))}
      <WithoutThreads shown={shown} />
      <div className="-ml-2.5 flex flex-wrap gap-2">
        {thread.length < threadMax && (
          <Button size="sm" variant="quiet" icon={<Plus aria-hidden />} onClick={add}>
            {thread.length === 0 ? t('thread.start') : t('thread.add')}
          </Button>
        )}
        <SplitButton takers={takers} />
      </div>
    </div>
  )
}

type ThreadFieldProps = {
  index: number
  text: string
  count: number
  takers: readonly Account[]
  onWrite: (value: string) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

function ThreadField({ index, text, count, takers, onWrite, onMove, onRemove }: ThreadFieldProps) {
  const { t, i18n } = useTranslation('compose')
  const error = useFieldError(`thread[${index}].text`)
  const number = index + 2
  const { state } = useCompose()
  const left = takers.map((account) => {
    const tags = linkTagsFor(state, account)
    const { text: rules } = account.platform
    return rules.max - countText(tags === null ? text : tagLinks(text, tags), rules)
  })
  return (
    <div className="flex items-start gap-2 border-l-2 border-line pl-3">
      <div className="min-w-0 flex-1">
        <Field
          label={t('thread.label', { number })}
          error={error}
          aside={index === 0 ? <OwnMark field="thread" /> : undefined}
          hint={left.length === 0 ? undefined : t('thread.left', { left: Math.min(...left).toLocaleString(i18n.language) })}
        >
          <TextArea
            id={`compose-thread-${index}`}
            rows={3}
            maxLength={25_000}
            value={text}
            onChange={(event) => onWrite(event.target.value)}
          />
        </Field>
      </div>
      <div className="-mr-2 flex shrink-0 flex-col pt-5">
        {count > 1 && (
          <>
            <IconButton
              label={t('thread.up', { number })}
              icon={<ArrowUp aria-hidden />}
              disabled={index === 0}
              onClick={() => onMove(-1)}
            />
            <IconButton
              label={t('thread.down', { number })}
              icon={<ArrowDown aria-hidden />}
              disabled={index === count - 1}
              onClick={() => onMove(1)}
            />
          </>
        )}
        <IconButton label={t('thread.remove', { number })} icon={<Trash2 aria-hidden />} onClick={onRemove} />
      </div>
    </div>
  )
}

/** Accounts on platforms without threads: a person decides whether they get the first post alone. */
function WithoutThreads({ shown }: { shown: readonly Account[] }) {
  const { t } = useTranslation('compose')
  const { state, dispatch } = useCompose()
  const without = shown.filter(
    ({ slug, platform }) => !platform.can.thread && threadOf(state, slug).some((text) => text.trim() !== ''),
  )
  if (without.length === 0) return null
  const platforms = [...new Set(without.map(({ platform }) => platform.name))].join(', ')
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-rust">
      {t('thread.without', { platforms })}
      <Button size="sm" onClick={() => dispatch({ type: 'leaveThreadOut', slugs: without.map(({ slug }) => slug) })}>
        {t('thread.leaveOut')}
      </Button>
    </p>
  )
}

/** Makes a thread of a text that is too long, so that it fits the narrowest of the accounts that get it. */
function SplitButton({ takers }: { takers: readonly Account[] }) {
  const { t } = useTranslation('compose')
  const { state, dispatch } = useCompose()
  // An account with words of its own does not get what is written here.
  const readers = takers.filter(
    ({ slug }) => state.tab !== null || (state.own[slug]?.text === undefined && state.own[slug]?.thread === undefined),
  )
  const isLong = readers.some((account) => countFor(sentDraft(state, account), account.platform).level === 'over')
  if (!isLong) return null
  const split = () => {
    const threads = readers.flatMap(
      (account) =>
        splitDraft(channelDraft(state, account.slug), account.platform, {
          isNumbered: false,
          tags: linkTagsFor(state, account),
        }) ?? [],
    )
    const [longest] = threads.toSorted((one, other) => other.thread.length - one.thread.length)
    if (!longest) return
    dispatch({ type: 'write', field: 'text', value: longest.text })
    dispatch({ type: 'writeThread', thread: longest.thread.map(({ text }) => text) })
  }
  return (
    <Button size="sm" variant="quiet" icon={<Scissors aria-hidden />} onClick={split}>
      {t('thread.split')}
    </Button>
  )
}

function swapped(texts: readonly string[], one: number, other: number): string[] {
  return texts.map((text, index) => (index === one ? texts[other] : index === other ? texts[one] : text) ?? text)
}
