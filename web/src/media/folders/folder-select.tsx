import type { MediaFolder } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { Select } from '../../ui/form/select.tsx'

type FolderSelectProps = {
  folders: readonly MediaFolder[]
  /** An id, `none` for files without a folder, or undefined for all. */
  value: string | undefined
  onChange: (folder: string | undefined) => void
}

/** The folder whose files are shown, where there is no room for the list of them. */
export function FolderSelect({ folders, value, onChange }: FolderSelectProps) {
  const { t } = useTranslation('media')
  return (
    <Select
      label={t('folders.title')}
      value={value ?? 'all'}
      onChange={(next) => onChange(next === 'all' ? undefined : next)}
      options={[
        { value: 'all', label: t('folders.all') },
        { value: 'none', label: t('folders.none') },
        ...folders.map(({ id, name, files }) => ({ value: id, label: name, note: String(files) })),
      ]}
    />
  )
}
