import { Tag } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { Popover } from '../ui/overlay/popover.tsx'
import { LabelList } from './label-list.tsx'

type LabelPickerProps = Parameters<typeof LabelList>[0] & { text?: string; variant?: 'quiet' | 'secondary'; disabled?: boolean }

/** A button that opens the list of labels. */
export function LabelPicker({ text, variant = 'quiet', disabled = false, ...list }: LabelPickerProps) {
  const { t } = useTranslation('labels')
  const trigger = (
    <Button size="sm" variant={variant} icon={<Tag aria-hidden />} disabled={disabled}>
      {text ?? t(list.chosen.length === 0 ? 'add' : 'change')}
    </Button>
  )
  return (
    <Popover trigger={trigger} title={t('title')} className="w-72 p-1!">
      <LabelList {...list} />
    </Popover>
  )
}
