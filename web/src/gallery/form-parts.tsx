import { useState } from 'react'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { RadioGroup } from '../ui/form/radio-group.tsx'
import { Select } from '../ui/form/select.tsx'
import { Switch } from '../ui/form/switch.tsx'
import { TextArea } from '../ui/form/text-area.tsx'

const choices = [
  { value: 'now', label: 'Now' },
  { value: 'later', label: 'Later', note: 'At a time that you choose' },
] as const

/** The parts of forms, for the gallery. */
export function FormParts() {
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
