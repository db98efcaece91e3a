import type { PostChange, Series, SeriesContent } from '@carillon/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { carillon } from '../api/client.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { Notice } from '../ui/notice.tsx'
import { Dialog, actionsLook } from '../ui/overlay/dialog.tsx'
import { useNeedsApproval } from '../workspaces/use-workspace.ts'
import { emptyRule, toRule } from './rule.ts'
import { RuleFields } from './rule-fields.tsx'

type RepeatDialogProps = {
  workspaceId: string
  /** What the composer would save. */
  change: PostChange
  start: { from: string; time: string; timezone: string }
  onClose: () => void
  onMade: (series: Series) => void
}

/** Makes a series of what stands in the composer. */
export function RepeatDialog({ workspaceId, change, start, onClose, onMade }: RepeatDialogProps) {
  const { t } = useTranslation('series')
  const { t: shell } = useTranslation('shell')
  const needsApproval = useNeedsApproval()
  const [draft, setDraft] = useState(() => emptyRule(start))
  const [name, setName] = useState(() => (change.text ?? '').trim().split('\n')[0]?.slice(0, 60) || t('nameAtFirst'))
  const rule = toRule(draft)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      if (!rule) throw new Error('the rule is not complete')
      return carillon.series.create({ name: name.trim(), ...rule, content: contentOf(change) }, { workspaceId })
    },
    onSuccess: onMade,
  })
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('repeat.title')}
      description={t('repeat.text')}
      closeLabel={shell('close')}
    >
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
        <RuleFields workspaceId={workspaceId} draft={draft} onChange={setDraft} />
        {needsApproval && <Notice title={t('repeat.approval')} />}
        {error && <ErrorNotice error={error} />}
        <div className={actionsLook}>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button type="submit" variant="primary" disabled={rule === null || name.trim() === ''} isBusy={isPending}>
            {t('repeat.submit')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/** The fields of a draft that a series has; what is empty is left out. */
function contentOf(change: PostChange): SeriesContent {
  const { type = 'text', connections = [], text, title, firstComment, thread, linkUrl, aiGenerated, labels } = change
  const { platformOptions, medias = [], mediaOptions } = change
  return {
    type,
    connections,
    ...(text && { text }),
    ...(title && { title }),
    ...(firstComment && { firstComment: typeof firstComment === 'string' ? { text: firstComment } : firstComment }),
    ...(thread && { thread }),
    ...(linkUrl && { linkUrl }),
    ...(aiGenerated && { aiGenerated }),
    ...(labels && { labels }),
    ...(platformOptions && Object.keys(platformOptions).length > 0 && { platformOptions }),
    ...(medias.length > 0 && { medias, ...(mediaOptions && { mediaOptions }) }),
  }
}
