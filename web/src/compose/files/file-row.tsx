import { formatBytes } from '@carillon/core'
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useCompose } from '../compose-context.ts'
import { useDescribeFinding, useFieldError } from '../editor/use-describe-finding.ts'
import type { PostFile } from '../state/compose-state.ts'
import { findingsAt } from '../state/findings.ts'
import { FilePicture } from './file-picture.tsx'
import { chosenFile, forgetFile } from './local-files.ts'

type FileRowProps = { file: PostFile; index: number; onRepeat: () => void }

export function FileRow({ file, index, onRepeat }: FileRowProps) {
  const { t } = useTranslation('compose')
  const { state, dispatch, accounts } = useCompose()
  const altError = useFieldError(`medias[${index}].alt`)
  const remove = () => {
    dispatch({ type: 'removeFile', key: file.key })
    forgetFile(file.key)
    document.querySelector<HTMLElement>('#compose-text')?.focus()
  }
  const takesAlt =
    file.kind !== 'document' && (accounts.length === 0 || accounts.some(({ platform }) => platform.altTextMax !== null))
  return (
    <li className="flex gap-3 rounded-card border border-line bg-surface p-3">
      <FilePicture file={file} className="size-16 shrink-0 rounded-control" />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <div className="flex items-start justify-between gap-2">
          <p className="min-w-0 truncate text-sm">
            <span className="font-medium">{file.name}</span>
            {file.sizeBytes > 0 && <span className="text-quiet"> · {formatBytes(file.sizeBytes)}</span>}
          </p>
          <div className="-mt-2 -mr-2 flex">
            {state.files.length > 1 && (
              <>
                <IconButton
                  label={t('files.up', { name: file.name })}
                  icon={<ArrowUp aria-hidden />}
                  disabled={index === 0}
                  onClick={() => dispatch({ type: 'moveFile', key: file.key, by: -1 })}
                />
                <IconButton
                  label={t('files.down', { name: file.name })}
                  icon={<ArrowDown aria-hidden />}
                  disabled={index === state.files.length - 1}
                  onClick={() => dispatch({ type: 'moveFile', key: file.key, by: 1 })}
                />
              </>
            )}
            <IconButton label={t('files.remove', { name: file.name })} icon={<Trash2 aria-hidden />} onClick={remove} />
          </div>
        </div>
        <FileState file={file} onRepeat={onRepeat} />
        {takesAlt && (
          <Field label={t('files.alt', { name: file.name })} isLabelHidden error={altError}>
            <Input
              placeholder={t('files.altHint')}
              maxLength={5000}
              value={file.alt}
              onChange={(event) => dispatch({ type: 'changeFile', key: file.key, change: { alt: event.target.value } })}
            />
          </Field>
        )}
        <FileFindings index={index} />
      </div>
    </li>
  )
}

function FileState({ file, onRepeat }: { file: PostFile; onRepeat: () => void }) {
  const { t } = useTranslation('compose')
  if (file.problem !== null) {
    return (
      <div className="flex flex-wrap items-center gap-2 text-sm font-medium text-rust">
        {file.problem === 'interrupted' ? t('files.interrupted') : file.problem}
        {chosenFile(file.key) && (
          <Button size="sm" onClick={onRepeat}>
            {t('files.repeat')}
          </Button>
        )}
      </div>
    )
  }
  if (file.mediaId !== null) return null
  const percent = Math.round(file.progress * 100)
  return (
    <div className="flex items-center gap-2 text-sm text-quiet">
      <progress
        className="h-1.5 flex-1 accent-bell"
        aria-label={t('files.uploading', { name: file.name })}
        max={100}
        {...(percent > 0 && { value: percent })}
      />
      <span className="figures">{percent > 0 ? `${percent} %` : t('files.started')}</span>
    </div>
  )
}

/** What each chosen platform makes of the file: refused, or changed. */
function FileFindings({ index }: { index: number }) {
  const { state, findings } = useCompose()
  const describe = useDescribeFinding()
  const found = findingsAt(findings, `medias[${index}]`, state.tab)
  const sentences = [...new Map(found.map((finding) => [describe(finding), finding.isBlocking]))]
  return sentences.map(([sentence, isBlocking]) => (
    <p key={sentence} className={`text-sm ${isBlocking ? 'font-medium text-rust' : 'text-quiet'}`}>
      {sentence}
    </p>
  ))
}
