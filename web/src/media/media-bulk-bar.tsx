import type { BulkResult, Media, MediaFolder } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { FolderInput, Tag, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { mediaTags } from '../api/queries.gen.ts'
import { describeCode } from '../errors/describe-error.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { Notice } from '../ui/notice.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem } from '../ui/overlay/menu.tsx'
import { Popover } from '../ui/overlay/popover.tsx'
import { showToast } from '../ui/overlay/show-toast.ts'
import { affectedByFolders, sendInParts } from './folders/use-folders.ts'
import { PostsUsing } from './posts-using.tsx'

type BulkBarProps = { workspaceId: string; medias: readonly Media[]; folders: readonly MediaFolder[]; onDone: () => void }

/** What can be done with all chosen files. */
export function MediaBulkBar({ workspaceId, medias, folders, onDone }: BulkBarProps) {
  const { t } = useTranslation('media')
  const [isRemoving, setIsRemoving] = useState(false)
  const ids = medias.map(({ id }) => id)
  const tellResult = useTellResult()
  const { mutate, isPending } = useChange({
    run: ({ folderId }: { folderId: string | null }) =>
      sendInParts(ids, (some) => carillon.media.bulkMove({ ids: some, folderId }, { workspaceId })),
    affects: () => affectedByFolders(workspaceId),
    onDone: (result) => {
      tellResult(result, 'moved')
      onDone()
    },
  })
  const isIn = (folderId: string | null) => medias.every((media) => media.folderId === folderId)
  return (
    <fieldset aria-label={t('bulk.label')} className="flex flex-wrap gap-2">
      {folders.length > 0 && (
        <Menu
          align="start"
          trigger={
            <Button size="sm" icon={<FolderInput aria-hidden />} disabled={isPending}>
              {t('bulk.move')}
            </Button>
          }
        >
          {folders.map(({ id, name }) => (
            <MenuItem key={id} disabled={isIn(id)} onSelect={() => mutate({ folderId: id })}>
              {name}
            </MenuItem>
          ))}
          <MenuItem disabled={isIn(null)} onSelect={() => mutate({ folderId: null })}>
            {t('bulk.noFolder')}
          </MenuItem>
        </Menu>
      )}
      <AddTag workspaceId={workspaceId} ids={ids} />
      <Button size="sm" icon={<Trash2 aria-hidden />} onClick={() => setIsRemoving(true)}>
        {t('bulk.delete')}
      </Button>
      {isRemoving && (
        <RemoveMediasDialog workspaceId={workspaceId} medias={medias} onClose={() => setIsRemoving(false)} onRemoved={onDone} />
      )}
    </fieldset>
  )
}

/** Says how many files were changed; or, if some were refused, how many and why the first one was. */
function useTellResult() {
  const { t } = useTranslation('media')
  const { t: tErrors } = useTranslation('errors')
  return ({ succeeded, failed }: Pick<BulkResult, 'succeeded' | 'failed'>, what: 'moved' | 'tagged' | 'deleted') => {
    const [first] = failed
    if (!first) return showToast({ title: t(`bulk.${what}`, { count: succeeded }) })
    const description = describeCode(first.code, first.message, tErrors).title
    showToast({ kind: 'failed', title: t('bulk.partly', { count: failed.length, done: succeeded }), description })
  }
}

/** The files stay chosen, so that another tag can follow. */
function AddTag({ workspaceId, ids }: { workspaceId: string; ids: readonly string[] }) {
  const { t } = useTranslation('media')
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  const { data: tags = [] } = useQuery(mediaTags(workspaceId))
  const tellResult = useTellResult()
  const { mutate, isPending } = useChange({
    run: (tag: string) => sendInParts(ids, (some) => carillon.media.bulkTag({ ids: some, add: [tag] }, { workspaceId })),
    affects: () => [
      ['media.list', workspaceId],
      ['media.tags', workspaceId],
      ['media.get', workspaceId],
    ],
    onDone: (result) => {
      tellResult(result, 'tagged')
      setIsOpen(false)
    },
  })
  return (
    <Popover
      open={isOpen}
      onOpenChange={setIsOpen}
      title={t('bulk.tag')}
      trigger={
        <Button size="sm" icon={<Tag aria-hidden />} disabled={isPending}>
          {t('bulk.tag')}
        </Button>
      }
    >
      <Form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          const tag = new FormData(event.currentTarget).get('tag')
          if (typeof tag === 'string' && tag.trim() !== '') mutate(tag.trim())
        }}
      >
        <Field label={t('bulk.tagName')}>
          <Input name="tag" required maxLength={60} pattern="[^,]+" list={listId} autoComplete="off" />
        </Field>
        <datalist id={listId}>
          {tags.map(({ tag }) => (
            <option key={tag} value={tag}>
              {tag}
            </option>
          ))}
        </datalist>
        <Button type="submit" variant="primary" isBusy={isPending}>
          {t('bulk.tagSubmit')}
        </Button>
      </Form>
    </Popover>
  )
}

type RemoveMediasDialogProps = { workspaceId: string; medias: readonly Media[]; onClose: () => void; onRemoved: () => void }

/** Deletes what no post needs. For the files that a post still needs, a second yes is needed, as for a single file. */
function RemoveMediasDialog({ workspaceId, medias, onClose, onRemoved }: RemoveMediasDialogProps) {
  const { t } = useTranslation('media')
  const { t: shell } = useTranslation('shell')
  // The list is loaded again after the first yes, so the files of this question are remembered.
  const [asked] = useState(medias)
  const [needed, setNeeded] = useState<readonly string[]>([])
  const tellResult = useTellResult()
  const { mutate, isPending } = useChange({
    run: ({ ids, force }: { ids: readonly string[]; force: boolean }) =>
      sendInParts(ids, (some) => carillon.media.bulkDelete({ ids: some }, force ? { force: 'true' } : {}, { workspaceId })),
    affects: () => [
      ['media.list', workspaceId],
      ['media.tags', workspaceId],
      ['media.folders', workspaceId],
    ],
    onDone: (result) => {
      const inUse = result.failed.flatMap(({ id, code }) => (code === 'media_in_use' ? [id] : []))
      if (inUse.length > 0) return setNeeded(inUse)
      tellResult(result, 'deleted')
      onClose()
      onRemoved()
    },
  })
  const files = needed.length === 0 ? asked : asked.filter(({ id }) => needed.includes(id))
  const posts = [...new Set(files.flatMap(({ usedBy }) => usedBy))]
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('bulk.deleteTitle', { count: files.length })}
      description={posts.length > 0 ? t('bulk.used') : t('bulk.unused')}
      cancelLabel={shell('cancel')}
      confirmLabel={needed.length > 0 ? t('remove.anyway') : t('remove.confirm')}
      isBusy={isPending}
      onConfirm={() => mutate({ ids: files.map(({ id }) => id), force: needed.length > 0 })}
    >
      {posts.length > 0 && <PostsUsing workspaceId={workspaceId} postIds={posts} />}
      {needed.length > 0 && (
        <Notice kind="warning" title={t('bulk.needed', { count: needed.length })}>
          {t('remove.neededHint')}
        </Notice>
      )}
    </ConfirmDialog>
  )
}
