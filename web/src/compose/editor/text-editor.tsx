import type { ClipboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../ui/form/field.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { AiSection } from '../ai/ai-section.tsx'
import type { Ai } from '../ai/use-ai.ts'
import { useCompose } from '../compose-context.ts'
import { fieldOf } from '../state/channel-draft.ts'
import { OwnMark } from './own-mark.tsx'
import { useFieldError } from './use-describe-finding.ts'

/** The most that the server stores; every platform takes less. */
const lengthMax = 25_000

export function TextEditor({ onFiles, ai }: { onFiles: (files: readonly File[]) => void; ai: Ai }) {
  const { t } = useTranslation('compose')
  const { state, dispatch } = useCompose()
  const error = useFieldError('text')
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    onFiles(files)
  }
  return (
    <div className="flex flex-col gap-2">
      <Field label={t('text.label')} error={error} aside={<OwnMark field="text" />}>
        <TextArea
          id="compose-text"
          className="min-h-40 text-lg"
          rows={6}
          maxLength={lengthMax}
          placeholder={t('text.placeholder')}
          value={fieldOf(state, state.tab, 'text')}
          onChange={(event) => dispatch({ type: 'write', field: 'text', value: event.target.value })}
          onPaste={paste}
        />
      </Field>
      <AiSection ai={ai} />
    </div>
  )
}
