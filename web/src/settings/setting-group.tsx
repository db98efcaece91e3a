import { useId, type ReactNode } from 'react'

type SettingGroupProps = { title: string; description?: ReactNode; actions?: ReactNode; children?: ReactNode }

/** One matter of the settings: a heading, a sentence, and its controls. Hairlines divide the groups. */
export function SettingGroup({ title, description, actions, children }: SettingGroupProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex min-w-0 flex-col gap-4 border-t border-line pt-5 first-of-type:border-t-0 first-of-type:pt-0 [form~&]:border-t! [form~&]:pt-5!"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h3 id={id} className="text-lg font-medium">
            {title}
          </h3>
          {description !== undefined && <p className="max-w-[68ch] text-quiet">{description}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}
