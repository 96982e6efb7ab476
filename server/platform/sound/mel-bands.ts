// Mel filter bank and cepstral coefficients: the shape of a spectrum as the ear resolves it.

export const bandCount = 32
export const coefficientCount = 13
const lowestHertz = 60
const highestHertz = 8000
/** Energy of a band at about -80 dBFS. What is below it is noise of the file format. */
const floor = 1e-3

const melOf = (hertz: number) => 2595 * Math.log10(1 + hertz / 700)

export class MelBands {
  /** Natural logarithm of each band's energy. */
  readonly logEnergies = new Float64Array(bandCount)
  readonly coefficients = new Float64Array(coefficientCount)
  /** Triangles overlap by half: a bin belongs to the falling side of one band and the rising side of the next. */
  private readonly bandOfBin: Int16Array
  private readonly rise: Float64Array
  private readonly energies = new Float64Array(bandCount)
  private readonly cosines: Float64Array

  constructor(binCount: number, hertzPerBin: number) {
    const lowest = melOf(lowestHertz)
    const perBand = (melOf(highestHertz) - lowest) / (bandCount + 1)
    const places = Float64Array.from(
      { length: binCount },
      (_, bin) => (melOf(bin * hertzPerBin) - lowest) / perBand,
    )
    this.bandOfBin = Int16Array.from(places, (place) =>
      place < 0 || place >= bandCount + 1 ? -2 : Math.floor(place),
    )
    this.rise = places.map((place) => place - Math.floor(place))
    this.cosines = Float64Array.from({ length: bandCount * coefficientCount }, (_, i) => {
      const band = i % bandCount
      const coefficient = Math.floor(i / bandCount)
      return Math.cos((Math.PI * coefficient * (band + 0.5)) / bandCount)
    })
  }

  measure(power: Float64Array): void {
    const { energies, bandOfBin, rise } = this
    energies.fill(0)
    for (let bin = 0; bin < power.length; bin += 1) {
      const band = bandOfBin[bin]!
      if (band === -2) continue
      if (band < bandCount) energies[band]! += power[bin]! * rise[bin]!
      if (band > 0) energies[band - 1]! += power[bin]! * (1 - rise[bin]!)
    }
    for (let band = 0; band < bandCount; band += 1) {
      this.logEnergies[band] = Math.log(energies[band]! + floor)
    }
    for (let at = 0; at < coefficientCount; at += 1) {
      let sum = 0
      for (let band = 0; band < bandCount; band += 1) {
        sum += this.logEnergies[band]! * this.cosines[at * bandCount + band]!
      }
      this.coefficients[at] = sum / bandCount
    }
  }

  /** Logarithm of geometric over arithmetic mean: 0 for white noise, very negative for a tone. */
  flatness(): number {
    let logSum = 0
    let sum = 0
    for (let band = 0; band < bandCount; band += 1) {
      logSum += this.logEnergies[band]!
      sum += this.energies[band]! + floor
    }
    return logSum / bandCount - Math.log(sum / bandCount)
  }
}
