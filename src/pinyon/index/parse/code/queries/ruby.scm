; Classes, modules and methods

(module name: (_) @name body: (_)? @body) @module
(class name: (_) @name body: (_)? @body) @class
(method name: (_) @name body: (_)? @body) @method
(singleton_method name: (_) @name body: (_)? @body) @singleton

(superclass (_) @extends)

(call
  !receiver
  method: (identifier) @_include
  arguments: (argument_list [(constant) (scope_resolution)] @implements)
  (#any-of? @_include "include" "extend" "prepend"))

; What is said of them

(comment) @comment

; Imports

(call
  !receiver
  method: (identifier) @how
  arguments: (argument_list . (string) @from)
  (#any-of? @how "require" "require_relative" "load")) @import

; Calls

(call !receiver method: (identifier) @call)
(call receiver: (self) method: (identifier) @self_call)
