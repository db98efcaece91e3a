import { Bell, Ellipsis, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { localeOf } from '../i18n/language.ts'
import { StatusBadge } from '../posts/status-badge.tsx'
import { type TimeStyle, browserZone, formatDistance, formatTime, zoneCity } from '../time/format-time.ts'
import { todayIn } from '../time/zoned-day.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { RadioGroup } from '../ui/form/radio-group.tsx'
import { Select } from '../ui/form/select.tsx'
import { Switch } from '../ui/form/switch.tsx'
import { TextArea } from '../ui/form/text-area.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/overlay/menu.tsx'
import { Popover } from '../ui/overlay/popover.tsx'
import { showToast } from '../ui/overlay/show-toast.ts'
import { Toasts } from '../ui/overlay/toasts.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { Cell, HeadCell, Table } from '../ui/table.tsx'
import { Tabs } from '../ui/tabs.tsx'

const statuses = [
  'draft',
  'scheduled',
  'publishing',
  'completed',
  'partial_failure',
  'failed',
  'unconfirmed',
  'canceled',
] as const

/** Every part of the interface on one page, in development only. Its texts are not translated. */
export function GalleryPage() {
  return (
    <main className="mx-auto flex max-w-4xl flex-col gap-10 px-4 py-10">
      <PageHeader title="Gallery" description="The parts of the interface, in this theme." actions={<Button>Second</Button>} />
      <Section title="Buttons">
        <Button variant="primary">Primary</Button>
        <Button>Secondary</Button>
        <Button variant="quiet">Quiet</Button>
        <Button variant="danger" icon={<Trash2 aria-hidden />}>
          Delete
        </Button>
        <Button isBusy>Busy</Button>
        <Button disabled>Disabled</Button>
        <Button size="sm">Small</Button>
        <IconButton label="Ring" icon={<Bell aria-hidden />} />
        <Avatar name="Ada Ringer" />
      </Section>
      <Section title="Statuses">
        {statuses.map((status) => (
          <StatusBadge key={status} status={status} />
        ))}
      </Section>
      <Section title="Form">
        <FormParts />
      </Section>
      <Section title="Above the page">
        <Overlays />
      </Section>
      <Section title="Messages">
        <div className="flex w-full flex-col gap-3">
          <Notice title="Information">Posts are published in the zone of the workspace.</Notice>
          <Notice kind="done" title="Done" />
          <Notice kind="warning" title="Look here" />
          <Notice kind="problem" title="A problem" actions={<Button size="sm">Try again</Button>}>
            It says what to do next.
          </Notice>
        </div>
      </Section>
      <Section title="Tabs and table">
        <TabsAndTable />
      </Section>
      <Section title="Empty and loading">
        <Card className="w-full">
          <EmptyState title="No posts yet" icon={<Bell aria-hidden />} actions={<Button variant="primary">Write</Button>}>
            Write a post and choose when it goes out.
          </EmptyState>
        </Card>
        <div className="w-full">
          <SkeletonLines label="Loading" />
        </div>
      </Section>
      <Toasts closeLabel="Close" />
    </main>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-serif text-xl">{title}</h2>
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </section>
  )
}

function Overlays() {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>Confirm</Button>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setIsAsked}
        title="Delete the post?"
        description="It cannot be undone."
        cancelLabel="Cancel"
        confirmLabel="Delete"
        onConfirm={() => setIsAsked(false)}
      />
      <Menu trigger={<IconButton label="More" icon={<Ellipsis aria-hidden />} />}>
        <MenuItem onSelect={() => {}} keys="E">
          Edit
        </MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => {}} isDangerous icon={<Trash2 aria-hidden />}>
          Delete
        </MenuItem>
      </Menu>
      <Popover title="Details" isTitleShown trigger={<Button>Popover</Button>}>
        <Field label="Name">
          <Input />
        </Field>
      </Popover>
      <Button onClick={() => showToast({ title: 'Moved', action: { label: 'Undo', run() {} } })}>Toast</Button>
    </>
  )
}

function TabsAndTable() {
  const [tab, setTab] = useState<'times' | 'other'>('times')
  const style: TimeStyle = { zone: browserZone(), language: localeOf('en') }
  const [now] = useState(() => new Date().toISOString())
  const times = (
    <Table label="Times">
      <thead>
        <tr>
          <HeadCell>Shape</HeadCell>
          <HeadCell>Shown</HeadCell>
        </tr>
      </thead>
      <tbody className="figures">
        {(['time', 'day', 'dayAndTime', 'month', 'weekday'] as const).map((shape) => (
          <tr key={shape}>
            <Cell>{shape}</Cell>
            <Cell>{formatTime(now, shape, style)}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
  const other = `${todayIn(style.zone)}, ${zoneCity(style.zone)}, ${formatDistance(now, { nowMs: Date.parse(now) + 7_200_000, language: 'en' })}`
  return (
    <div className="w-full">
      <Tabs
        label="Examples"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'times', label: 'Times', content: times },
          { value: 'other', label: 'Other', content: other },
        ]}
      />
    </div>
  )
}

const choices = [
  { value: 'now', label: 'Now' },
  { value: 'later', label: 'Later', note: 'At a time that you choose' },
] as const

/** The parts of forms, for the gallery. */
function FormParts() {
  const [isOn, setIsOn] = useState(true)
  const [when, setWhen] = useState<'now' | 'later'>('now')
  return (
    <div className="grid w-full gap-5 sm:grid-cols-2">
      <Field label="Name" hint="As others see it." aside="optional">
        <Input placeholder="Ada" />
      </Field>
      <Field label="Address" error="This is not an address.">
        <Input defaultValue="ada@" />
      </Field>
      <Field label="When">
        <Select options={choices} value={when} onChange={setWhen} />
      </Field>
      <Field label="Text">
        <TextArea defaultValue="Seven bells at dusk." />
      </Field>
      <div className="flex flex-col gap-2">
        <Checkbox label="Chosen" defaultChecked />
        <Checkbox label="Some" isPartial />
        <Checkbox label="Not possible" disabled note="The plan does not include it." />
      </div>
      <div className="flex flex-col gap-4">
        <Switch label="Mail me when a post fails" checked={isOn} onChange={setIsOn} />
        <RadioGroup label="When" choices={choices} value={when} onChange={setWhen} />
      </div>
    </div>
  )
}
