import type { Note } from '@carillon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { ColorField } from '../labels/color-field.tsx'
import { useSubmit } from '../people/use-submit.ts'
import { DayField } from '../schedule/day-field.tsx'
import { formatDay } from '../time/format-time.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { TextArea } from '../ui/form/text-area.tsx'
import { actionsLook, Dialog } from '../ui/overlay/dialog.tsx'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { useTimeStyle } from '../workspaces/use-time-style.ts'

type NoteDialogProps = { note: Note | null; day: string; onClose: () => void }

/** A new note for this day, or a note to read, change or remove. */
export function NoteDialog({ note, day, onClose }: NoteDialogProps) {
  const { t } = useTranslation('notes')
  const { t: shell } = useTranslation('shell')
  const mayWrite = useMay('editor')
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(note ? 'note' : 'new')}
      closeLabel={shell('close')}
      size="md"
    >
      {mayWrite ? <NoteForm note={note} day={day} onClose={onClose} /> : note && <ShownNote note={note} />}
    </Dialog>
  )
}

function NoteForm({ note, day, onClose }: NoteDialogProps) {
  const { t } = useTranslation('notes')
  const { t: shell } = useTranslation('shell')
  const { id: workspaceId } = useWorkspace()
  const { zone } = useTimeStyle()
  const queryClient = useQueryClient()
  const [startsOn, setStartsOn] = useState(note?.startsOn ?? day)
  const [endsOn, setEndsOn] = useState(note?.endsOn ?? day)
  const [color, setColor] = useState(note?.color ?? 'yellow')
  const notes = ['notes.list', workspaceId]
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ text = '' }) => {
      const body = { text: text.trim(), startsOn, endsOn, color }
      return note ? carillon.notes.update(note.id, body, { workspaceId }) : carillon.notes.create(body, { workspaceId })
    },
    () => {
      void queryClient.invalidateQueries({ queryKey: notes })
      onClose()
    },
  )
  const { mutate: remove, isPending: isRemoving } = useChange({
    run: ({ id }: Note) => carillon.notes.remove(id, { workspaceId }),
    affects: () => [notes],
    done: ({ text, startsOn: from, endsOn: to, color: shade }) => ({
      title: t('removed'),
      undo: {
        label: t('undo'),
        run: () =>
          void carillon.notes
            .create({ text, startsOn: from, endsOn: to, color: shade }, { workspaceId })
            .then(() => queryClient.invalidateQueries({ queryKey: notes })),
      },
    }),
    onDone: onClose,
  })
  // A later first day takes the last one along.
  const begin = (next: string) => {
    setStartsOn(next)
    if (next !== '' && (endsOn < next || endsOn === startsOn)) setEndsOn(next)
  }
  return (
    <Form onSubmit={onSubmit} className="flex flex-col gap-4">
      {error && <ErrorNotice error={error} hidesDetails={Object.keys(fieldErrors).length > 0} />}
      <Field label={t('text')} error={fieldErrors['text']}>
        <TextArea name="text" defaultValue={note?.text ?? ''} required maxLength={500} placeholder={t('placeholder')} />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <DayField label={t('startsOn')} value={startsOn} onChange={begin} zone={zone} past={anyDay} />
        <DayField
          label={t('endsOn')}
          value={endsOn}
          onChange={setEndsOn}
          zone={zone}
          past={{ from: startsOn }}
          error={endsOn !== '' && endsOn < startsOn ? t('endsBefore') : null}
        />
      </div>
      <ColorField label={t('color')} value={color} onChange={setColor} />
      {note && <Author note={note} />}
      <div className={actionsLook}>
        {note && (
          <Button variant="danger" isBusy={isRemoving} onClick={() => remove(note)} className="sm:mr-auto">
            {t('remove')}
          </Button>
        )}
        <Button onClick={onClose}>{shell('cancel')}</Button>
        <Button
          type="submit"
          variant="primary"
          isBusy={isPending}
          disabled={startsOn === '' || endsOn === '' || endsOn < startsOn}
        >
          {t('save')}
        </Button>
      </div>
    </Form>
  )
}

function ShownNote({ note }: { note: Note }) {
  const { language } = useTimeStyle()
  const [from, to] = [formatDay(note.startsOn, 'longDay', language), formatDay(note.endsOn, 'longDay', language)]
  return (
    <>
      <p className="break-words whitespace-pre-wrap">{note.text}</p>
      <p className="text-quiet">{note.startsOn === note.endsOn ? from : `${from} – ${to}`}</p>
      <Author note={note} />
    </>
  )
}

function Author({ note: { createdBy, createdAt } }: { note: Note }) {
  const { t } = useTranslation('notes')
  const { language } = useTimeStyle()
  const day = formatDay(createdAt.slice(0, 10), 'dayOfYear', language)
  return <p className="text-sm text-quiet">{t('author', { name: createdBy.name ?? t('former'), day })}</p>
}

/** A note may be about days that are over. */
const anyDay = {}
