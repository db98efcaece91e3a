import { useRef, type ClipboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../ui/form/field.tsx'
import { controlLook } from '../../ui/form/input.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { AiSection } from '../ai/ai-section.tsx'
import type { Ai } from '../ai/use-ai.ts'
import { useCompose } from '../compose-context.ts'
import { channelDraft, fieldOf, findExcess, linkTagsFor } from '../state/channel-draft.ts'
import { countRowId } from './count-row.tsx'
import { OwnMark } from './own-mark.tsx'
import { useFieldError } from './use-describe-finding.ts'

/** The most that the server stores; every platform takes less. */
const lengthMax = 25_000

export function TextEditor({ onFiles, ai }: { onFiles: (files: readonly File[]) => void; ai: Ai }) {
  const { t } = useTranslation('compose')
  const { state, dispatch } = useCompose()
  const text = fieldOf(state, state.tab, 'text')
  // How long the text is stands below it already, at every key.
  const error = useFieldError('text', ['text_too_long'])
  const excessAt = useExcess()
  const marks = useRef<HTMLDivElement>(null)
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    onFiles(files)
  }
  return (
    <div className="flex flex-col gap-2">
      <Field label={t('text.label')} error={error} isInvalid={excessAt !== null} aside={<OwnMark field="text" />}>
        <div className="relative">
          {excessAt !== null && (
            // A text field cannot mark a part of its text, so the marks lie behind it, under the same letters.
            <div ref={marks} aria-hidden className={`${controlLook} ${look} ${marksLook}`}>
              {text.slice(0, excessAt)}
              <mark className="bg-rust-wash text-transparent underline decoration-rust decoration-2 underline-offset-4">
                {text.slice(excessAt)}
              </mark>
            </div>
          )}
          <TextArea
            id="compose-text"
            className={`${look} ${excessAt === null ? '' : 'relative bg-transparent!'}`}
            rows={6}
            maxLength={lengthMax}
            placeholder={t('text.placeholder')}
            value={text}
            onChange={(event) => dispatch({ type: 'write', field: 'text', value: event.target.value })}
            onPaste={paste}
            onScroll={({ currentTarget }) => marks.current?.scrollTo(0, currentTarget.scrollTop)}
            {...(excessAt !== null && error === null && { 'aria-describedby': countRowId })}
          />
        </div>
      </Field>
      <AiSection ai={ai} />
    </div>
  )
}

const look = 'min-h-40 text-lg'
const marksLook =
  'pointer-events-none absolute inset-0 overflow-hidden border-transparent! py-2 break-words whitespace-pre-wrap text-transparent!'

/** Where the text of the open tab becomes too long for the first of the accounts that get it. */
function useExcess(): number | null {
  const { state, accounts } = useCompose()
  const isShown = (slug: string) => (state.tab === null ? state.own[slug]?.text === undefined : state.tab === slug)
  const starts = accounts
    .filter(({ slug }) => isShown(slug))
    .map((account) => findExcess(channelDraft(state, account.slug), account.platform, linkTagsFor(state, account)))
    .filter((start) => start !== null)
  return starts.length === 0 ? null : Math.min(...starts)
}
