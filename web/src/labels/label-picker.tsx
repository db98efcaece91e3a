import type { Label } from '@carillon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Tag } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { fold } from '../time/fold.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceList } from '../ui/form/choice-list.tsx'
import { Popover } from '../ui/overlay/popover.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { LabelChip } from './label-chips.tsx'
import { markColors } from './mark-style.ts'
import { useLabels } from './use-labels.ts'

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

type LabelListProps = {
  chosen: readonly string[]
  /** Labels that some of the posts have, and some have not. */
  partial?: ReadonlySet<string>
  onChange: (labels: string[]) => void
}

/** The server takes at most this many on a post. */
const labelsMax = 10

/** The labels of the workspace to choose from. A name that does not exist yet can be made one. */
function LabelList({ chosen, partial, onChange }: LabelListProps) {
  const { t } = useTranslation('labels')
  const { id: workspaceId } = useWorkspace()
  const { labels, isPending } = useLabels()
  const queryClient = useQueryClient()
  const isFull = chosen.length >= labelsMax
  const { mutate: create } = useChange({
    run: (name: string) => createLabel(name, { workspaceId, labels }),
    affects: () => [['labels.list', workspaceId]],
    onDone: (made) => {
      // Known before a post has it: an id that is in no list looks like a label that was removed.
      queryClient.setQueriesData<Label[]>({ queryKey: ['labels.list', workspaceId] }, (known) => [...(known ?? []), made])
      onChange([...chosen, made.id])
    },
  })
  const find = (typed: string) =>
    labels
      .filter(({ name }) => fold(name).includes(fold(typed)))
      .map((label) => ({
        value: label.id,
        name: label.name,
        content: <LabelChip label={label} />,
        disabled: isFull && !chosen.includes(label.id),
      }))
  const createText = (typed: string) =>
    isFull || isPending || labels.some(({ name }) => name.toLowerCase() === typed.toLowerCase())
      ? null
      : t('createNamed', { name: typed })
  return (
    <ChoiceList
      label={t('find')}
      placeholder={t('findOrCreate')}
      emptyText={t(isPending ? 'loading' : labels.length === 0 ? 'none' : 'noneFound')}
      find={find}
      chosen={chosen}
      {...(partial && { partial })}
      onChange={onChange}
      createText={createText}
      onCreate={(name) => create(name)}
      {...(isFull && { note: t('full') })}
    />
  )
}

/** A label of this name, in the first colour that few others have. */
function createLabel(name: string, { workspaceId, labels }: { workspaceId: string; labels: readonly Label[] }): Promise<Label> {
  const uses = (color: string) => labels.filter((label) => label.color === color).length
  const [color = 'blue'] = markColors.toSorted((a, b) => uses(a) - uses(b))
  return carillon.labels.create({ name, color }, { workspaceId })
}
