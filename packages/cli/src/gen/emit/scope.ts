import type { Int64, NumberName } from 'kiln-format'
import { NameSet } from '../names/name-set.js'
import { planTypes, typeKey, type TypePlan } from '../names/plan.js'
import { camelCase } from '../names/words.js'
import type { DictModel, DocumentModel, ListModel, StructModel, TypeModel } from '../model/model.js'
import { isNumber } from '../model/numbers.js'
import { hasTensors } from '../model/sizes.js'
import { RUNTIME_NAMES, RUNTIME_TYPES } from './runtime-names.js'
import { stepsOf, type RunField } from './struct-runs.js'

/** A type that has functions of its own in the generated code. */
export type CompositeModel = StructModel | ListModel | DictModel

/** The names of a composite type's functions; two types that are written alike share them. */
export interface CompositeNames {
  readonly read: string
  readonly borrow: string
  readonly write: string
  /** The table of a struct's fields, for the writer. */
  readonly fields: string
  /** The tables of a struct's runs of more than one field, in order. */
  readonly runs: readonly RunNames[]
}

/** The variables of a list of numbers: apart, so that a page which only reads is bundled without the writer. */
export interface NumberListNames {
  readonly readers: string
  readonly write: string
}

export interface RunNames {
  readonly name: string
  readonly fields: readonly RunField[]
}

/** What a module exports of its root type. */
export interface ExportNames {
  readonly type: string
  readonly text: string
  readonly hash: string
  readonly encode: string
  readonly encodeInto: string
  readonly encodeParts: string
  readonly encodeReusing: string
  readonly encodedSize: string
  readonly decode: string
  readonly view: string
  /** For a root that is a list of anything but numbers. */
  readonly iterate: string
  readonly iterateView: string
}

/** The functions that place a message for its tensors. */
export interface PlaceNames {
  readonly place: string
  readonly seek: string
}

const TYPE_ENDINGS = ['', 'Input', 'View']
const PROJECTION_ENDINGS = ['', 'View']

/** The names of one module, and what it imports so far. */
export class ModuleScope {
  readonly int64: Int64
  readonly exports: ExportNames
  /** For a root that has tensors somewhere. */
  readonly placing: PlaceNames | undefined
  readonly plan: TypePlan
  readonly composites: { readonly model: CompositeModel; readonly names: CompositeNames }[] = []
  /** Types that are called something else than the document suggests. */
  readonly renamed: (readonly [wanted: string, name: string])[] = []
  readonly numberLists = new Map<NumberName, NumberListNames>()
  readonly #names = new NameSet([...RUNTIME_NAMES, ...RUNTIME_TYPES])
  readonly #values = new Set<string>()
  readonly #types = new Set<string>()
  readonly #typeNames = new Map<StructModel, string>()
  readonly #byKey = new Map<string, CompositeNames>()

  constructor(document: DocumentModel, rootName: string, int64: Int64) {
    this.int64 = int64
    const type = this.#names.takeType(rootName, TYPE_ENDINGS)
    if (type !== rootName) this.renamed.push([rootName, type])
    const variable = camelCase(type)
    this.exports = {
      type,
      text: this.#names.take(`${variable}Text`),
      hash: this.#names.take(`${variable}Hash`),
      encode: this.#names.take(`encode${type}`),
      encodeInto: this.#names.take(`encode${type}Into`),
      encodeParts: this.#names.take(`encode${type}Parts`),
      encodeReusing: this.#names.take(`encode${type}With`),
      encodedSize: this.#names.take(`encodedSize${type}`),
      decode: this.#names.take(`decode${type}`),
      view: this.#names.take(`view${type}`),
      iterate: this.#names.take(`iterate${type}`),
      iterateView: this.#names.take(`iterate${type}View`),
    }
    this.plan = planTypes(document, type)
    for (const { model, wanted } of this.plan.groups) {
      const name = model === document.root ? type : this.#names.takeType(wanted, TYPE_ENDINGS)
      if (name !== wanted) this.renamed.push([wanted, name])
      this.#typeNames.set(model, name)
    }
    this.#collect(document.root)
    this.placing = hasTensors(document.root)
      ? { place: this.#names.take(`place${type}`), seek: this.#names.take(`seek${type}`) }
      : undefined
  }

  /** A value of the run-time entry, from now on imported. */
  use(name: string): string {
    this.#values.add(name)
    return name
  }

  /** A type of the run-time entry, from now on imported. */
  useType(name: string): string {
    this.#types.add(name)
    return name
  }

  get usedValues(): string[] {
    return [...this.#values].sort(byName)
  }

  get usedTypes(): string[] {
    return [...this.#types].sort(byName)
  }

  /** A name of its own for something of the module. */
  take(name: string): string {
    return this.#names.take(name)
  }

  /** The name of a projection's type. */
  takeType(wanted: string): string {
    const name = this.#names.takeType(wanted, PROJECTION_ENDINGS)
    if (name !== wanted) this.renamed.push([wanted, name])
    return name
  }

  /** The names that a function's variables must not hide, and those that it takes. */
  locals(taken: readonly string[]): NameSet {
    return this.#names.inner(taken)
  }

  typeName(struct: StructModel): string {
    return this.#typeNames.get(this.plan.groupOf(struct).model)!
  }

  /** The variables of a list of numbers. */
  numbers(name: NumberName): NumberListNames {
    return this.numberLists.get(name)!
  }

  composite(model: CompositeModel): CompositeNames {
    return this.#byKey.get(this.#key(model))!
  }

  #key(model: TypeModel): string {
    return typeKey(model, (struct) => this.typeName(struct))
  }

  /** Names the functions of every composite type inside, and of lists of numbers. */
  #collect(model: TypeModel): void {
    switch (model.kind) {
      case 'option':
        this.#collect(model.some)
        return
      case 'list':
        if (isNumberList(model)) {
          const name = model.element.kind as NumberName
          if (!this.numberLists.has(name)) {
            const readers = this.#names.take(`${name}List`)
            this.numberLists.set(name, { readers, write: this.#names.take(`write${capital(name)}List`) })
          }
          return
        }
        if (this.#add(model)) this.#collect(model.element)
        return
      case 'dict':
        if (this.#add(model)) this.#collect(model.value)
        return
      case 'struct':
        if (this.#add(model)) for (const field of model.fields) this.#collect(field.type)
    }
  }

  #add(model: CompositeModel): boolean {
    const key = this.#key(model)
    if (this.#byKey.has(key)) return false
    const type = this.#wordsOf(model)
    const variable = camelCase(type)
    const runs =
      model.kind === 'struct'
        ? stepsOf(model).flatMap((step) => ('run' in step && step.run.length > 1 ? [step.run] : []))
        : []
    const names = {
      read: this.#names.take(`read${type}`),
      borrow: this.#names.take(`borrow${type}`),
      write: this.#names.take(`write${type}`),
      fields: model.kind === 'struct' ? this.#names.take(`${variable}Fields`) : '',
      runs: runs.map((fields) => ({ name: this.#names.take(`${variable}Run`), fields })),
    }
    this.#byKey.set(key, names)
    this.composites.push({ model, names })
    return true
  }

  /** What a type is called in the names of functions: `StringList`, `UserDict`, `OptionalU8List`. */
  #wordsOf(model: TypeModel): string {
    switch (model.kind) {
      case 'struct':
        return this.typeName(model)
      case 'list':
        return `${this.#wordsOf(model.element)}List`
      case 'dict':
        return `${this.#wordsOf(model.value)}${model.key.kind === 'string' ? '' : `By${capital(model.key.kind)}`}Dict`
      case 'option':
        return `Optional${this.#wordsOf(model.some)}`
      default:
        return capital(model.kind)
    }
  }
}

/** Whether a list is one typed array. */
export function isNumberList(model: ListModel): boolean {
  return isNumber(model.element.kind)
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** As the imports of a file are sorted everywhere, whatever the machine's language. */
function byName(a: string, b: string): number {
  return a < b ? -1 : 1
}
