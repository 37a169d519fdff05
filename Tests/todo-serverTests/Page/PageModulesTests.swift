#if HTTP
import Testing

@testable import todo_server

@Suite struct PageModulesTests {
  @Test func join_putsEachModuleOnce_afterThoseThatItImports() {
    let texts = [
      "app.js": """
      import { twice } from "./other-one.js";
      import {
        two,
        three,
      } from "./numbers.js";
      twice(two + three);

      """,
      "other-one.js": """
      import { two } from "./numbers.js";
      export function twice(number) {
        return two * number;
      }
      export async function* none() {}
      export class Empty {}

      """,
      "numbers.js": "export const two = 2;\nexport const three = two + 1;\nconst four = 4;\n",
      "unused.js": "",
    ]
    #expect(
      PageModules.join(texts, from: "app.js") == """
        const $numbers = (() => {
        const two = 2;
        const three = two + 1;
        const four = 4;
        return { two, three };
        })();
        const $other_one = (() => {
        const { two } = $numbers;
        function twice(number) {
          return two * number;
        }
        async function* none() {}
        class Empty {}
        return { twice, none, Empty };
        })();
        const $app = (() => {
        const { twice } = $other_one;
        const {  two,  three,} = $numbers;
        twice(two + three);
        return {  };
        })();

        """)
  }
}
#endif
