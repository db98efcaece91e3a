import { useTranslation } from 'react-i18next'
import { RadioGroup } from '../../ui/form/radio-group.tsx'
import type { CropChoice } from './crop-box.ts'
import type { CropRatio } from './crop-ratios.ts'

type CropControlsProps = {
  ratios: readonly CropRatio[]
  name: string
  choice: CropChoice
  onRatio: (ratio: CropRatio) => void
  onChange: (choice: CropChoice) => void
}

/** The shape, the size and the place of what stays, all with the keyboard. */
export function CropControls({ ratios, name, choice, onRatio, onChange }: CropControlsProps) {
  const { t, i18n } = useTranslation('compose')
  const nameOf = (ratio: CropRatio) => (ratio.name === 'original' ? t('crop.original') : writeRatio(ratio.name, i18n.language))
  return (
    <div className="flex flex-col gap-4 max-sm:gap-1">
      <RadioGroup
        label={t('crop.shape')}
        className="max-sm:flex-row max-sm:flex-wrap max-sm:gap-x-4"
        choices={ratios.map((ratio) => ({
          value: ratio.name,
          label: nameOf(ratio),
          ...(ratio.refusedBy.length > 0 && { note: t('crop.refusedBy', { platforms: ratio.refusedBy.join(', ') }) }),
        }))}
        value={name}
        onChange={(value) => {
          const ratio = ratios.find((each) => each.name === value)
          if (ratio) onRatio(ratio)
        }}
      />
      <Slider label={t('crop.size')} min={20} value={choice.scale} onChange={(scale) => onChange({ ...choice, scale })} />
      <Slider label={t('crop.across')} value={choice.x} onChange={(x) => onChange({ ...choice, x })} />
      <Slider label={t('crop.down')} value={choice.y} onChange={(y) => onChange({ ...choice, y })} />
    </div>
  )
}

/** `1.91:1` with the decimal sign of the language. */
function writeRatio(name: string, language: string): string {
  return name
    .split(':')
    .map((part) => Number(part).toLocaleString(language))
    .join(':')
}

type SliderProps = { label: string; min?: number; value: number; onChange: (value: number) => void }

/** `value` is from 0 to 1; people see percent. */
function Slider({ label, min = 0, value, onChange }: SliderProps) {
  const percent = Math.round(value * 100)
  return (
    <label className="flex flex-col gap-1 text-sm font-medium max-sm:gap-0">
      <span className="flex justify-between">
        {label}
        <span className="figures font-normal text-quiet">{percent} %</span>
      </span>
      <input
        type="range"
        min={min}
        max={100}
        value={percent}
        className="h-6 w-full accent-bell pointer-coarse:h-11"
        onChange={(event) => onChange(Number(event.target.value) / 100)}
      />
    </label>
  )
}
