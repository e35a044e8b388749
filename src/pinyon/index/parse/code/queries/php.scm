; Classes, interfaces, traits, enums and functions

(namespace_definition name: (_) @name body: (_)? @body) @namespace
(class_declaration name: (name) @name body: (_) @body) @class
(interface_declaration name: (name) @name body: (_) @body) @interface
(trait_declaration name: (name) @name body: (_) @body) @trait
(enum_declaration name: (name) @name body: (_) @body) @enum
(function_definition name: (name) @name body: (_) @body) @function
(method_declaration name: (name) @name body: (_) @body) @method

(base_clause [(name) (qualified_name)] @extends)
(class_interface_clause [(name) (qualified_name)] @implements)
(use_declaration [(name) (qualified_name)] @implements)

; What is said of them

(comment) @comment

; Imports

(namespace_use_declaration
  (namespace_use_clause . [(name) (qualified_name)] @from alias: (_)? @alias)) @import

(namespace_use_declaration
  (namespace_name) @from
  body: (namespace_use_group
    (namespace_use_clause
      . [(name) (namespace_name) (qualified_name)] @symbol
      alias: (_)? @alias))) @import

[
  (require_expression [(string) (encapsed_string)] @file)
  (require_once_expression [(string) (encapsed_string)] @file)
  (include_expression [(string) (encapsed_string)] @file)
  (include_once_expression [(string) (encapsed_string)] @file)
  (require_expression (binary_expression right: [(string) (encapsed_string)] @file))
  (require_once_expression (binary_expression right: [(string) (encapsed_string)] @file))
  (include_expression (binary_expression right: [(string) (encapsed_string)] @file))
  (include_once_expression (binary_expression right: [(string) (encapsed_string)] @file))
] @import

; Calls

(function_call_expression function: (name) @call)
(member_call_expression
  object: (variable_name (name) @_self)
  name: (name) @self_call
  (#eq? @_self "this"))
(scoped_call_expression scope: (relative_scope) name: (name) @self_call)
