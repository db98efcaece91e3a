import type { MarkColor } from '@carillon/sdk'
import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { markColors, markStyle } from './mark-style.ts'

type ColorFieldProps = { label: string; value: MarkColor; onChange: (color: MarkColor) => void }

/** One of the ten colours. The browser's radio buttons bring the keys. */
export function ColorField({ label, value, onChange }: ColorFieldProps) {
  const { t } = useTranslation('labels')
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-1.5 pointer-coarse:grid pointer-coarse:w-fit pointer-coarse:grid-cols-5 pointer-coarse:gap-x-4">
        {markColors.map((color) => (
          <label key={color} title={t(`colors.${color}`)} style={markStyle(color)} className={swatchLook}>
            <input
              type="radio"
              name="color"
              value={color}
              checked={color === value}
              onChange={() => onChange(color)}
              aria-label={t(`colors.${color}`)}
              className="sr-only"
            />
            {color === value && <Check aria-hidden strokeWidth={3} className="size-4 text-surface" />}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const swatchLook = [
  'mark-dot relative flex size-8 cursor-pointer items-center justify-center rounded-full pointer-coarse:size-11',
  'has-checked:outline-2 has-checked:outline-offset-2 has-checked:outline-edge has-focus-visible:outline-bell has-focus-visible:outline-2 has-focus-visible:outline-offset-2',
].join(' ')
