import type { PostComment } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { workspacesMembers } from '../api/queries.gen.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Field } from '../ui/form/field.tsx'
import { NativeSelect } from '../ui/form/native-select.tsx'
import { TextArea } from '../ui/form/text-area.tsx'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { findMentions } from './find-mentions.ts'

type CommentFormProps = {
  postId: string
  /** The comment that is changed. */
  comment?: PostComment
  onDone?: () => void
}

/** A new comment, or one of your own that is changed. A member is mentioned by their name after an @, typed or chosen. */
export function CommentForm({ postId, comment, onDone }: CommentFormProps) {
  const { t } = useTranslation('approval')
  const { t: shell } = useTranslation('shell')
  const { id: workspaceId } = useWorkspace()
  const { data: members = [] } = useQuery(workspacesMembers(workspaceId))
  const mayAddress = useMay('editor')
  const [text, setText] = useState(comment?.text ?? '')
  const [isForClient, setIsForClient] = useState(false)
  const [isEmpty, setIsEmpty] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const { mutate: save, isPending } = useChange({
    run: () => {
      const body = { text: text.trim(), mentions: findMentions(text, members) }
      return comment
        ? carillon.comments.update(postId, comment.id, body, { workspaceId })
        : carillon.comments.create(postId, { ...body, audience: isForClient ? 'client' : 'members' }, { workspaceId })
    },
    affects: () => [['comments.list', workspaceId, postId]],
    onDone: () => {
      setText('')
      setIsForClient(false)
      onDone?.()
    },
  })
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsEmpty(text.trim() === '')
    if (text.trim() !== '') save(undefined)
  }
  const mention = (userId: string) => {
    const name = members.find((member) => member.userId === userId)?.name
    if (name === undefined) return
    setText((before) => `${before}${before === '' || /\s$/.test(before) ? '' : ' '}@${name} `)
    field.current?.focus()
  }
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-3">
      <Field label={t(comment ? 'comment.edit' : 'comment.new')} error={isEmpty ? t('comment.missing') : undefined}>
        <TextArea ref={field} value={text} maxLength={2000} rows={3} onChange={(event) => setText(event.target.value)} />
      </Field>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <NativeSelect label={t('comment.mention')} value="" onChange={mention} className="max-w-52">
          <option value="">{t('comment.mention')}</option>
          {members.map(({ userId, name, email }) => (
            <option key={userId} value={userId}>
              {name || email}
            </option>
          ))}
        </NativeSelect>
        {!comment && mayAddress && (
          <Checkbox label={t('comment.client')} note={t('comment.clientNote')} checked={isForClient} onChange={setIsForClient} />
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isBusy={isPending}>
          {t(comment ? 'comment.save' : 'comment.send')}
        </Button>
        {comment && <Button onClick={onDone}>{shell('cancel')}</Button>}
      </div>
    </form>
  )
}
