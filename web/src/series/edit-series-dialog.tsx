import type { Series } from '@carillon/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { carillon } from '../api/client.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { TextArea } from '../ui/form/text-area.tsx'
import { Dialog, actionsLook } from '../ui/overlay/dialog.tsx'
import { fromRule, toRule } from './rule.ts'
import { RuleFields } from './rule-fields.tsx'

type EditSeriesDialogProps = { workspaceId: string; series: Series; onClose: () => void; onSaved: (series: Series) => void }

/** The rule and the texts of a series. Without variants it has one text; with them, they take turns. */
export function EditSeriesDialog({ workspaceId, series, onClose, onSaved }: EditSeriesDialogProps) {
  const { t } = useTranslation('series')
  const { t: shell } = useTranslation('shell')
  const [name, setName] = useState(series.name)
  const [draft, setDraft] = useState(() => fromRule(series))
  const [texts, setTexts] = useState<readonly string[]>(() =>
    series.variants.length > 0
      ? series.variants.map(({ text }) => text ?? series.content.text ?? '')
      : [series.content.text ?? ''],
  )
  const [isForMade, setIsForMade] = useState(false)
  const rule = toRule(draft)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      if (!rule) throw new Error('the rule is not complete')
      const { content } = series
      const [first = ''] = texts
      const variants = texts.length > 1 ? texts.map((text, at) => ({ ...series.variants[at], text })) : []
      const before = fromRule(series)
      const isRuleChanged = JSON.stringify(before) !== JSON.stringify(draft)
      const isTextChanged = JSON.stringify(texts) !== JSON.stringify(textsOf(series))
      const ends = { until: rule.until ?? null, count: rule.count ?? null }
      const end = rule.until !== undefined ? { until: rule.until } : rule.count !== undefined ? { count: rule.count } : ends
      return carillon.series.update(
        series.id,
        {
          name: name.trim(),
          ...(isRuleChanged && { ...rule, ...end, on: rule.on ?? null }),
          ...(isTextChanged && { content: { ...content, ...(first !== '' && { text: first }) }, variants }),
          apply: isForMade ? 'unedited' : 'new',
        },
        { workspaceId },
      )
    },
    onSuccess: onSaved,
  })
  const setText = (at: number, text: string) => setTexts(texts.map((each, index) => (index === at ? text : each)))
  return (
    <Dialog open size="lg" onOpenChange={(isOpen) => !isOpen && onClose()} title={t('edit.title')} closeLabel={shell('close')}>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
        className="flex flex-col gap-5"
      >
        <Field label={t('name')}>
          <Input value={name} onChange={(event) => setName(event.target.value)} required maxLength={100} />
        </Field>
        {texts.map((text, at) => (
          <div key={at} className="flex flex-col gap-1.5">
            <Field label={texts.length > 1 ? t('edit.variant', { number: at + 1 }) : t('edit.text')}>
              <TextArea rows={3} value={text} onChange={(event) => setText(at, event.target.value)} />
            </Field>
            {texts.length > 1 && (
              <Button size="sm" className="self-start" onClick={() => setTexts(texts.filter((_, index) => index !== at))}>
                {t('edit.removeVariant', { number: at + 1 })}
              </Button>
            )}
          </div>
        ))}
        {texts.length < 20 && (
          <Button size="sm" className="self-start" onClick={() => setTexts([...texts, ''])}>
            {t('edit.addVariant')}
          </Button>
        )}
        <RuleFields workspaceId={workspaceId} draft={draft} onChange={setDraft} />
        <Checkbox label={t('edit.made')} note={t('edit.madeNote')} checked={isForMade} onChange={setIsForMade} />
        {error && <ErrorNotice error={error} />}
        <div className={actionsLook}>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button type="submit" variant="primary" disabled={rule === null || name.trim() === ''} isBusy={isPending}>
            {t('edit.submit')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function textsOf({ variants, content }: Series): string[] {
  return variants.length > 0 ? variants.map(({ text }) => text ?? content.text ?? '') : [content.text ?? '']
}
